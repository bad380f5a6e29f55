package io.rowtime.socket;

import java.io.IOException;
import java.io.UncheckedIOException;
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
 * The format {@code io.rowtime.socket.SocketSource} of {@code readStream}: the columns {@code value} (STRING), a line;
 * {@code number} (BIGINT), how many came before it; {@code arrived} (TIMESTAMP); {@code trouble} (STRING), NULL or why it
 * cannot be a record. Options: {@code host}, {@code port};
 * {@code connection}, the key of one that is open (see {@link Connections}); {@code folder}, the URI of the folder for
 * the lines of batches; {@code most}, how many of them a batch may have.
 */
public final class SocketSource implements TableProvider {
  private static final StructType SCHEMA = new StructType().add("value", DataTypes.StringType, false)
      .add("number", DataTypes.LongType, false).add("arrived", DataTypes.TimestampType, false)
      .add("trouble", DataTypes.StringType, true);

  @Override public StructType inferSchema(CaseInsensitiveStringMap options) {
    return SCHEMA;
  }

  @Override public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return new Lines();
  }

  private static final class Lines implements SupportsRead {
    @Override public String name() {
      return "socket";
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
      return () -> new Scan() {
        @Override public StructType readSchema() {
          return SCHEMA;
        }

        @Override public MicroBatchStream toMicroBatchStream(String checkpoint) {
          try {
            Connection open =
                Connections.claim(options.get("connection"), options.get("host"), options.getInt("port", -1));
            return new LineStream(open, new LineFiles(options.get("folder")), options.getInt("most", 100_000));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };
    }
  }
}
