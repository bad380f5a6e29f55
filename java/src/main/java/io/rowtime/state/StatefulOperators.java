package io.rowtime.state;

import io.rowtime.spark.Frames;
import io.rowtime.spark.InternalRows;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.KeyValueGroupedDataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** Puts a {@link TaskOperator} into a plan of Spark's. */
public final class StatefulOperators {
  /** The column by which rows are grouped. Also a name of Spark's Avro schema of the key, so a plain one. */
  private static final String KEY = "rowtime_partition";

  /** What travels: {@link RowBlocks}; behind it is the key. */
  private static final StructType BLOCKS = new StructType().add("rowtime_block", DataTypes.BinaryType, false);

  private StatefulOperators() {}

  /** The columns that an operator is given of rows of some columns: behind them is the key by which they are grouped. */
  public static StructType input(StructType schema) {
    return schema.add(KEY, DataTypes.IntegerType);
  }

  /** An INTEGER which is the same for rows that are alike in some columns. */
  public static Column hash(List<String> columns) {
    return columns.isEmpty() ? functions.lit(0) : functions.hash(Frames.columns(columns));
  }

  /** As {@link #run(List, Column, TaskOperator.Factory, StructType)}, of one DataFrame. */
  public static Dataset<Row> run(Dataset<Row> rows, Column hash, TaskOperator.Factory factory, StructType output) {
    return run(List.of(rows), hash, factory, output);
  }

  /**
   * Runs an operator over streams, in one task for each shuffle partition. Rows go to it as they lie in memory, with the
   * columns of {@link #input}.
   *
   * @param streams streaming DataFrames with columns of the same types; none may carry Spark's event-time tag
   * @param hash an INTEGER of their columns: rows for which it is the same come into the same task
   * @param output the columns of the rows that come out; such a row may have more behind them
   */
  public static Dataset<Row> run(List<Dataset<Row>> streams, Column hash, TaskOperator.Factory factory, StructType output) {
    Dataset<Row> blocks = streams.stream().map(rows -> blocks(rows, hash)).reduce(Dataset::unionAll).orElseThrow();
    KeyValueGroupedDataset<Integer, InternalRow> grouped =
        KeyedPartitions.of(blocks, KEY).groupBy(KEY).as(Encoders.INT(), InternalRows.raw(BLOCKS));
    StateNames names = new StateNames(factory.create());
    int columns = input(streams.get(0).schema()).length();
    return grouped.transformWithState(new OperatorProcessor(factory, names, columns), TimeMode.EventTime(), OutputMode.Append(),
        InternalRows.encoder(output)).toDF();
  }

  /** The rows as {@link RowBlocks}, each with the key of its partition. */
  private static Dataset<Row> blocks(Dataset<Row> rows, Column hash) {
    LogicalPlan plan = rows.withColumn(KEY, Partitions.key(hash)).queryExecution().analyzed();
    List<Expression> columns = new ArrayList<>(CollectionConverters.asJava(plan.output()));
    String id = UUID.randomUUID().toString();
    Filter full = new Filter(new RowBlockInput(new RowBlocks(id, columns.size() - 1), columns), plan);
    // Of a row that says that the blocks are full, nothing is needed.
    StructType any = new StructType().add(KEY, DataTypes.IntegerType);
    return Frames.of(rows.sparkSession(), full).select(KEY).as(InternalRows.encoder(any))
        .mapPartitions(new MapSideOutput(id), InternalRows.encoder(BLOCKS.add(KEY, DataTypes.IntegerType, false))).toDF();
  }
}
