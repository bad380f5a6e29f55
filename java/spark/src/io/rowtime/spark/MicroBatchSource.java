package io.rowtime.spark;

import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A data source for {@code readStream}, and optionally {@code read}, with a fixed schema. */
public abstract class MicroBatchSource implements TableProvider {
  private final String name;

  protected MicroBatchSource(String name) {
    this.name = name;
  }

  /** Returns the stream of rows for a query. */
  protected abstract MicroBatchStream stream(CaseInsensitiveStringMap options);

  /** Returns the same for a query whose files about this source are in the folder {@code checkpoint}. */
  protected MicroBatchStream stream(CaseInsensitiveStringMap options, String checkpoint) {
    return stream(options);
  }

  /** Returns how the source can be read. */
  protected Set<TableCapability> capabilities() {
    return Set.of(TableCapability.MICRO_BATCH_READ);
  }

  /** Returns all existing rows, if {@link #capabilities} includes that. */
  protected Batch batch(CaseInsensitiveStringMap options) {
    throw new UnsupportedOperationException("It is read as a stream only");
  }

  @Override public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return new Rows(schema);
  }

  private final class Rows implements SupportsRead {
    private final StructType schema;

    Rows(StructType schema) {
      this.schema = schema;
    }

    @Override public String name() {
      return name;
    }

    // Spark calls the newer `columns`, which calls this method.
    @SuppressWarnings("deprecation")
    @Override public StructType schema() {
      return schema;
    }

    @Override public Set<TableCapability> capabilities() {
      return MicroBatchSource.this.capabilities();
    }

    @Override public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      return () -> new Scan() {
        @Override public StructType readSchema() {
          return schema;
        }

        @Override public Batch toBatch() {
          return batch(options);
        }

        @Override public MicroBatchStream toMicroBatchStream(String checkpoint) {
          return stream(options, checkpoint);
        }
      };
    }
  }
}
