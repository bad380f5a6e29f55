package io.rowtime.operators;

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
import org.apache.spark.unsafe.hash.Murmur3_x86_32;

/** The operators as functions of DataFrames, for Python to call. */
public final class Operators {
  private Operators() {}

  /**
   * Holds rows back until the watermark of the query reaches their release time.
   *
   * @param rows a streaming DataFrame; no column of it may carry Spark's event-time tag
   * @param release name of the column, a timestamp, that says when a row may pass; rows where it is null pass at once
   * @param partitions the number of shuffle partitions that the query will have
   * @return the same columns
   */
  public static Dataset<Row> hold(Dataset<Row> rows, String release, int partitions) {
    StructType schema = rows.schema();
    int index = schema.fieldIndex(release);
    if (!schema.apply(index).dataType().equals(DataTypes.TimestampType)) {
      throw new IllegalArgumentException("Column " + release + " is no timestamp: " + schema.apply(index).dataType());
    }
    Encoder<InternalRow> encoder = InternalRows.encoder(schema);
    // Named, because Spark makes an Avro schema of the key's name.
    Column key = key(functions.hash(rows.col(release)), partitions).as("key");
    KeyValueGroupedDataset<Integer, InternalRow> grouped = rows.groupBy(key).as(Encoders.INT(), encoder);
    return grouped.transformWithState(new Hold(schema, index), TimeMode.EventTime(), OutputMode.Append(), encoder)
        .toDF();
  }

  /** A key for operators that have one for each shuffle partition; {@code hash} says which. */
  public static Column key(Column hash, int partitions) {
    return functions.element_at(functions.array(keys(partitions)),
        functions.pmod(hash, functions.lit(partitions)).plus(1));
  }

  /** One key for each shuffle partition: small numbers hash together more often than not. */
  private static Column[] keys(int partitions) {
    Column[] keys = new Column[partitions];
    int missing = partitions;
    for (int key = 0; missing > 0; key++) {
      int partition = Math.floorMod(Murmur3_x86_32.hashInt(key, 42), partitions);
      if (keys[partition] == null) {
        keys[partition] = functions.lit(key);
        missing--;
      }
    }
    return keys;
  }
}
