package io.rowtime.socket;

import io.rowtime.spark.MicroBatchSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The data source {@code io.rowtime.socket.SocketSource} for {@code readStream}: the columns {@code value} (STRING), a
 * line; {@code number} (BIGINT), the number of lines before it; {@code arrived} (TIMESTAMP); {@code trouble} (STRING),
 * NULL or the reason why it cannot be a record. Options: {@code host}, {@code port}; {@code connection}, the key of an
 * open connection (see {@link OpenConnections}); {@code folder}, the URI of the folder for the lines of batches; {@code
 * most}, the maximum number of lines of a batch.
 */
public final class SocketSource extends MicroBatchSource {
  private static final StructType SCHEMA = new StructType().add("value", DataTypes.StringType, false)
      .add("number", DataTypes.LongType, false).add("arrived", DataTypes.TimestampType, false)
      .add("trouble", DataTypes.StringType, true);

  public SocketSource() {
    super("socket");
  }

  @Override public StructType inferSchema(CaseInsensitiveStringMap options) {
    return SCHEMA;
  }

  @Override protected MicroBatchStream stream(CaseInsensitiveStringMap options) {
    try {
      Connection open = OpenConnections.claim(options.get("connection"), options.get("host"), options.getInt("port", -1));
      return new LineStream(open, new LineFiles(options.get("folder")), options.getInt("most", 100_000));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
