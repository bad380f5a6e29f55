package io.rowtime.state;

import io.rowtime.spark.Frames;
import io.rowtime.spark.InternalRows;
import io.rowtime.spark.RowPredicate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
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

/** Adds a {@link TaskOperator} to a Spark plan. */
public final class StatefulOperators {
  /**
   * The column by which rows are grouped. It is also a name in Spark's Avro schema of the key, so it has plain
   * characters only.
   */
  private static final String KEY = "rowtime_partition";

  /** The columns that are shuffled: {@link RowBlocks}, followed by the key. */
  private static final StructType BLOCKS = new StructType().add("rowtime_block", DataTypes.BinaryType, false);

  private StatefulOperators() {}

  /** Returns the input columns of an operator: the given columns, followed by the key by which rows are grouped. */
  public static StructType input(StructType schema) {
    return schema.add(KEY, DataTypes.IntegerType);
  }

  /** Returns an INTEGER that is the same for rows that are equal in some columns. */
  public static Column hash(List<String> columns) {
    return columns.isEmpty() ? functions.lit(0) : functions.hash(Frames.columns(columns));
  }

  /** Like {@link #run(List, Column, TaskOperator.Factory, StructType)}, for one DataFrame. */
  public static Dataset<Row> run(Dataset<Row> rows, Column hash, TaskOperator.Factory factory, StructType output) {
    return run(List.of(rows), hash, factory, output);
  }

  /**
   * Runs an operator over streams, in one task per shuffle partition. It receives rows unchanged in memory, with the
   * columns of {@link #input}.
   *
   * @param streams streaming DataFrames with columns of the same types; none of the columns may have Spark's event-time
   *     tag
   * @param hash an INTEGER computed from their columns: rows with equal values are processed by the same task
   * @param output the output columns; an output row may have more columns after them
   */
  public static Dataset<Row> run(List<Dataset<Row>> streams, Column hash, TaskOperator.Factory factory, StructType output) {
    List<Dataset<Row>> blocks = streams.stream().map(rows -> blocks(rows, hash)).toList();
    return runBlocks(blocks, input(streams.get(0).schema()).length(), factory, output);
  }

  /**
   * Like {@link #run(List, Column, TaskOperator.Factory, StructType)}, for rows that are in blocks already.
   *
   * @param streams the results of {@link #blocks}
   * @param columns the number of columns of the rows, with the key by which they are grouped
   */
  public static Dataset<Row> runBlocks(List<Dataset<Row>> streams, int columns, TaskOperator.Factory factory, StructType output) {
    Dataset<Row> blocks = streams.stream().reduce(Dataset::unionAll).orElseThrow();
    KeyValueGroupedDataset<Integer, InternalRow> grouped =
        KeyedPartitions.of(blocks, KEY).groupBy(KEY).as(ReusedEncoder.of(Encoders.INT()), InternalRows.raw(BLOCKS));
    StateNames names = new StateNames(factory.create());
    return grouped.transformWithState(new OperatorProcessor(factory, names, columns), TimeMode.EventTime(), OutputMode.Append(),
        InternalRows.encoder(output)).toDF();
  }

  /** Returns the rows as blocks for {@link #runBlocks}: those with an equal {@code hash} are processed by the same task. */
  public static Dataset<Row> blocks(Dataset<Row> rows, Column hash) {
    return blocks(rows.withColumn(KEY, Partitions.key(hash)), RowBlockInput::new);
  }

  /**
   * Returns the rows as blocks for {@link #runBlocks}.
   *
   * @param input returns a predicate over the columns of a row that adds the row to the blocks, and is true if they are
   *     full
   */
  public static Dataset<Row> blocks(Dataset<Row> rows, BiFunction<RowBlocks, List<Expression>, RowPredicate> input) {
    LogicalPlan plan = rows.queryExecution().analyzed();
    List<Expression> columns = new ArrayList<>(CollectionConverters.asJava(plan.output()));
    String id = UUID.randomUUID().toString();
    Filter full = new Filter(input.apply(new RowBlocks(id), columns), plan);
    // No column is needed of a row that only means that the blocks are full.
    StructType any = new StructType().add(KEY, DataTypes.IntegerType);
    return Frames.of(rows.sparkSession(), full).select(functions.lit(0).as(KEY)).as(InternalRows.encoder(any))
        .mapPartitions(new MapSideOutput(id), InternalRows.encoder(BLOCKS.add(KEY, DataTypes.IntegerType, false))).toDF();
  }
}
