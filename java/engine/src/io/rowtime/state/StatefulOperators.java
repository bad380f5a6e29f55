package io.rowtime.state;

import io.rowtime.exchange.KeyedPartitions;
import io.rowtime.exchange.MapSideOutput;
import io.rowtime.exchange.Partitions;
import io.rowtime.exchange.RowBlockInput;
import io.rowtime.exchange.RowBlocks;
import io.rowtime.spark.Frames;
import io.rowtime.spark.InternalRows;
import io.rowtime.spark.RowPredicate;
import io.rowtime.spark.ScalaSeq;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Murmur3Hash;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.TransformWithState$;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Adds a {@link TaskOperator} to a Spark plan. The nodes are made without DataFrames in between, each of which Spark would
 * analyze.
 */
public final class StatefulOperators {
  /**
   * The column by which rows are grouped. It is also a name in Spark's Avro schema of the key, so it has plain
   * characters only.
   */
  private static final String KEY = "rowtime_partition";

  /** The seed of Spark's function {@code hash}. Saved state is where this hash says. */
  private static final int HASH_SEED = 42;

  /** The columns that are shuffled: {@link RowBlocks}, followed by the key. */
  private static final StructType BLOCKS = new StructType().add("rowtime_block", DataTypes.BinaryType, false);

  private StatefulOperators() {}

  /** Returns the input columns of an operator: the given columns, followed by the key by which rows are grouped. */
  public static StructType input(StructType schema) {
    return schema.add(KEY, DataTypes.IntegerType);
  }

  /**
   * Runs an operator over streams, in one task per shuffle partition. It receives rows unchanged in memory, with the
   * columns of {@link #input}.
   *
   * @param rows a streaming DataFrame; none of its columns may have Spark's event-time tag
   * @param keys some of its columns: rows with equal values in them are processed by the same task; all rows if empty
   * @param output the output columns; an output row may have more columns after them
   */
  public static Dataset<Row> run(Dataset<Row> rows, List<String> keys, TaskOperator.Factory factory, StructType output) {
    LogicalPlan plan = rows.queryExecution().analyzed();
    List<Attribute> columns = CollectionConverters.asJava(plan.output());
    List<Expression> hashed = new ArrayList<>();
    keys.forEach(key -> hashed.add(columns.get(rows.schema().fieldIndex(key))));
    Expression hash = keys.isEmpty() ? Literal.create(0, DataTypes.IntegerType) : new Murmur3Hash(ScalaSeq.of(hashed), HASH_SEED);
    return runBlocks(rows.sparkSession(), List.of(blocks(plan, columns, hash)), columns.size() + 1, factory, output);
  }

  /**
   * Like {@link #run}, for rows that are in blocks already.
   *
   * @param streams the results of {@code blocks}
   * @param columns the number of columns of the rows, with the key by which they are grouped
   */
  public static Dataset<Row> runBlocks(SparkSession spark, List<LogicalPlan> streams, int columns, TaskOperator.Factory factory,
      StructType output) {
    LogicalPlan all = streams.size() == 1 ? streams.get(0) : new Union(ScalaSeq.of(streams), false, false);
    LogicalPlan keyed = KeyedPartitions.of(all);
    Seq<Attribute> key = ScalaSeq.of(List.of(keyed.output().last()));
    StateNames names = new StateNames(factory.create());
    return Frames.of(spark, TransformWithState$.MODULE$.apply(key, keyed.output(), new OperatorProcessor(factory, names, columns),
        TimeMode.EventTime(), OutputMode.Append(), keyed, ReusedEncoder.of(Encoders.INT()), InternalRows.raw(BLOCKS),
        InternalRows.encoder(output)));
  }

  /**
   * Returns the rows as blocks for {@link #runBlocks}: those with an equal {@code hash} are processed by the same task.
   *
   * @param rows an analyzed plan
   * @param columns those of its columns that the operator receives
   * @param hash an INTEGER computed from its columns
   */
  public static LogicalPlan blocks(LogicalPlan rows, List<Attribute> columns, Expression hash) {
    List<Expression> received = new ArrayList<>(columns);
    received.add(Partitions.key(hash));
    return blocks(rows, blocks -> new RowBlockInput(blocks, received));
  }

  /**
   * Returns the rows as blocks for {@link #runBlocks}.
   *
   * @param input returns a predicate over the columns of a row that adds the row to the blocks, and is true if they are
   *     full
   */
  public static LogicalPlan blocks(LogicalPlan rows, Function<RowBlocks, RowPredicate> input) {
    String id = UUID.randomUUID().toString();
    Filter full = new Filter(input.apply(new RowBlocks(id)), rows);
    // No column is needed of a row that only means that the blocks are full.
    NamedExpression none = new Alias(Literal.create(0, DataTypes.IntegerType), KEY, NamedExpression.newExprId(), ScalaSeq.of(List.of()),
        Option.empty(), ScalaSeq.of(List.of()));
    StructType any = new StructType().add(KEY, DataTypes.IntegerType);
    return KeyedPartitions.tagged(
        MapSideOutput.of(new Project(ScalaSeq.of(List.of(none)), full), id, any, BLOCKS.add(KEY, DataTypes.IntegerType, false)));
  }
}
