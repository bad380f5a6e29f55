package io.rowtime.marks;

import io.rowtime.lateness.ClockFolder;
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
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The format {@code io.rowtime.marks.MarkSource} of {@code readStream}: one column {@code bound}, a TIMESTAMP. Options:
 * {@code folder}, the URI of the clocks of the scan that it marks; {@code timeout}, in milliseconds, after which the
 * clock stands in for rows (without it never).
 */
public final class MarkSource implements TableProvider {
  private static final StructType SCHEMA = new StructType().add("bound", DataTypes.TimestampType, false);

  @Override public StructType inferSchema(CaseInsensitiveStringMap options) {
    return SCHEMA;
  }

  @Override public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return new Marks();
  }

  private static final class Marks implements SupportsRead {
    @Override public String name() {
      return "marks";
    }

    // What Spark calls by its newer name, `columns`, asks this one.
    @SuppressWarnings("deprecation")
    @Override public StructType schema() {
      return SCHEMA;
    }

    @Override public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.MICRO_BATCH_READ);
    }

    @Override public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      ClockFolder folder = new ClockFolder(options.get("folder"));
      long timeout = options.getLong("timeout", -1);
      return () -> new Scan() {
        @Override public StructType readSchema() {
          return SCHEMA;
        }

        @Override public MicroBatchStream toMicroBatchStream(String checkpoint) {
          return new MarkStream(folder, timeout);
        }
      };
    }
  }
}
