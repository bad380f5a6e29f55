package io.rowtime.spark;

import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A format of {@code readStream} with columns of its own. */
public abstract class MicroBatchSource implements TableProvider {
  private final String name;
  private final StructType schema;

  protected MicroBatchSource(String name, StructType schema) {
    this.name = name;
    this.schema = schema;
  }

  /** The rows of a query that reads it. */
  protected abstract MicroBatchStream stream(CaseInsensitiveStringMap options);

  @Override public StructType inferSchema(CaseInsensitiveStringMap options) {
    return schema;
  }

  @Override public Table getTable(StructType given, Transform[] partitioning, Map<String, String> properties) {
    return new Rows();
  }

  private final class Rows implements SupportsRead {
    @Override public String name() {
      return name;
    }

    // What Spark calls by its newer name, `columns`, asks this one.
    @SuppressWarnings("deprecation")
    @Override public StructType schema() {
      return schema;
    }

    @Override public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.MICRO_BATCH_READ);
    }

    @Override public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      return () -> new Scan() {
        @Override public StructType readSchema() {
          return schema;
        }

        @Override public MicroBatchStream toMicroBatchStream(String checkpoint) {
          return stream(options);
        }
      };
    }
  }
}
