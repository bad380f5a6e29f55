package io.rowtime.operators;

import io.rowtime.spark.InternalRows;
import io.rowtime.state.Partitions;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.KeyValueGroupedDataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The operators as functions of DataFrames, for Python to call. */
public final class Operators {
  private Operators() {}

  /**
   * Holds rows back until the watermark of the query reaches their release time.
   *
   * @param rows a streaming DataFrame; no column of it may carry Spark's event-time tag
   * @param release name of the column, a timestamp, that says when a row may pass; rows where it is null pass at once
   * @return the same columns
   */
  public static Dataset<Row> hold(Dataset<Row> rows, String release) {
    StructType schema = rows.schema();
    int index = schema.fieldIndex(release);
    if (!schema.apply(index).dataType().equals(DataTypes.TimestampType)) {
      throw new IllegalArgumentException("Column " + release + " is no timestamp: " + schema.apply(index).dataType());
    }
    Encoder<InternalRow> encoder = InternalRows.encoder(schema);
    // Named, because Spark makes an Avro schema of the key's name.
    Column key = Partitions.key(functions.hash(rows.col(release))).as("key");
    KeyValueGroupedDataset<Integer, InternalRow> grouped = rows.groupBy(key).as(Encoders.INT(), encoder);
    return grouped.transformWithState(new Hold(schema, index), TimeMode.EventTime(), OutputMode.Append(), encoder)
        .toDF();
  }
}
