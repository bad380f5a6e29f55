package io.rowtime.marks;

import io.rowtime.lateness.ClockFolder;
import io.rowtime.spark.MicroBatchSource;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The data source {@code io.rowtime.marks.MarkSource} for {@code readStream}: one column {@code bound}, a TIMESTAMP.
 * Options: {@code folder}, the URI of the clocks of the scan that it marks; {@code timeout}, in milliseconds, after
 * which the bound advances with the system clock (never, if absent).
 */
public final class MarkSource extends MicroBatchSource {
  private static final StructType SCHEMA = new StructType().add("bound", DataTypes.TimestampType, false);

  public MarkSource() {
    super("marks");
  }

  @Override public StructType inferSchema(CaseInsensitiveStringMap options) {
    return SCHEMA;
  }

  @Override protected MicroBatchStream stream(CaseInsensitiveStringMap options) {
    return new MarkStream(new ClockFolder(options.get("folder")), options.getLong("timeout", -1));
  }
}
