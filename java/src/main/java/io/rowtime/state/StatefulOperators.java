package io.rowtime.state;

import io.rowtime.spark.Frames;
import io.rowtime.spark.InternalRows;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.KeyValueGroupedDataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Puts a {@link TaskOperator} into a plan of Spark's. */
public final class StatefulOperators {
  /** The column by which rows are grouped. Also a name of Spark's Avro schema of the key, so a plain one. */
  private static final String KEY = "rowtime_partition";

  private StatefulOperators() {}

  /** The columns that an operator is given of rows of some columns: behind them is the key by which they are grouped. */
  public static StructType input(StructType schema) {
    return schema.add(KEY, DataTypes.IntegerType);
  }

  /** An INTEGER which is the same for rows that are alike in some columns. */
  public static Column hash(List<String> columns) {
    return columns.isEmpty() ? functions.lit(0) : functions.hash(Frames.columns(columns));
  }

  /**
   * Runs an operator over a stream, in one task for each shuffle partition. A row goes to it as it lies in memory, with the
   * columns of {@link #input}.
   *
   * @param rows a streaming DataFrame; no column of it may carry Spark's event-time tag
   * @param hash an INTEGER: rows for which it is the same come into the same task
   * @param output the columns of the rows that come out; such a row may have more behind them
   */
  public static Dataset<Row> run(Dataset<Row> rows, Column hash, TaskOperator.Factory factory, StructType output) {
    KeyValueGroupedDataset<Integer, InternalRow> grouped = KeyedPartitions.of(rows, hash, KEY).groupBy(KEY)
        .as(Encoders.INT(), InternalRows.raw(rows.schema()));
    StateNames names = new StateNames(factory.create());
    return grouped.transformWithState(new OperatorProcessor(factory, names), TimeMode.EventTime(), OutputMode.Append(),
        InternalRows.encoder(output)).toDF();
  }
}
