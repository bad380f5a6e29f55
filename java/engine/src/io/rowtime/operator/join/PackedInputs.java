package io.rowtime.operator.join;

import io.rowtime.exchange.Partitions;
import io.rowtime.spark.BoundExpressions;
import io.rowtime.spark.Frames;
import io.rowtime.spark.ScalaSeq;
import io.rowtime.state.StatefulOperators;
import io.rowtime.state.TaskOperator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Sends the rows of two inputs to the operator of a join, with the columns that {@link JoinInput} reads: each row is
 * packed into a BINARY value.
 */
final class PackedInputs {
  private static final String INPUT = "rowtime_input";
  private static final String TIME = "rowtime_time";
  private static final String KEY = "rowtime_key";
  private static final String ROW = "rowtime_row";
  private static final String NUMBER = "rowtime_number";

  /** The columns that the operator receives. */
  static final StructType SCHEMA = StatefulOperators.input(new StructType().add(INPUT, DataTypes.IntegerType)
      .add(TIME, DataTypes.TimestampType).add(KEY, DataTypes.BinaryType).add(ROW, DataTypes.BinaryType));

  private PackedInputs() {}

  /**
   * An input.
   *
   * @param bounds a streaming DataFrame of one TIMESTAMP column, from the same source as the rows: instants of the
   *     watermark that this source alone has reached; null if the query's watermark is enough
   * @param time the column with the time of a row, a TIMESTAMP; for an updating join, how often the row is added, a BIGINT
   * @param complete whether rows are needed that match nothing because a key is NULL
   * @param distinct whether duplicates count once
   */
  record Packed(Dataset<Row> rows, Dataset<Row> bounds, List<String> keys, List<String> columns, String time, boolean complete,
      boolean distinct) {

    /** Returns the columns of the result; they are {@code nullable} if rows without a match are emitted. */
    StructType schema(boolean nullable) {
      StructType schema = new StructType();
      for (String column : columns) {
        StructField field = rows.schema().apply(column);
        schema = schema.add(column, field.dataType(), nullable || field.nullable());
      }
      return schema;
    }

    /** Returns the rows to shuffle. Rows that cannot match anything are dropped, unless they are needed anyway. */
    private LogicalPlan packRows(int number, boolean together) {
      LogicalPlan given = rows.queryExecution().analyzed();
      Map<String, Expression> named = new HashMap<>();
      CollectionConverters.asJava(given.output()).forEach(column -> named.put(column.name(), column));
      for (String name : complete ? List.<String>of() : keys) {
        given = new Filter(new IsNotNull(named.get(name)), given);
      }
      List<Expression> read = new ArrayList<>(List.of(named.get(time)));
      keys.forEach(name -> read.add(named.get(name)));
      columns.forEach(name -> read.add(named.get(name)));
      return StatefulOperators.blocks(given, blocks ->
          new PackedRowInput(new PackedRows(blocks, number, together, distinct ? new SeenRows() : null), keys.size(), read));
    }

    /**
     * Returns each bound once per partition of the operator: {@link JoinInput#INPUT} is the number of the input plus
     * twice the number of the partition plus one.
     */
    private LogicalPlan packBounds(int number) {
      Column partition = functions.explode(ExpressionUtils.column(Partitions.numbers()));
      Column at = Frames.column(bounds.columns()[0]);
      LogicalPlan all = bounds.select(at.as(TIME), partition.as(INPUT)).queryExecution().analyzed();
      List<Attribute> columns = CollectionConverters.asJava(all.output());
      Attribute numbered = columns.get(1);
      Expression input = new Add(new Multiply(numbered, Literal.create(2, DataTypes.IntegerType)), Literal.create(2 + number, DataTypes.IntegerType));
      LogicalPlan packed = new Project(ScalaSeq.of(List.of(Frames.named(input, INPUT), columns.get(0), Frames.named(none(), KEY),
          Frames.named(none(), ROW), Frames.named(numbered, NUMBER))), all);
      List<Attribute> sent = CollectionConverters.asJava(packed.output());
      return StatefulOperators.blocks(packed, sent.subList(0, sent.size() - 1), sent.get(sent.size() - 1));
    }

    private static Expression none() {
      return Literal.create(null, DataTypes.BinaryType);
    }
  }

  /**
   * Runs an operator over both inputs. Rows go to partitions by their keys, or all {@code together} to one; rows without
   * a key to any partition; bounds to all partitions.
   *
   * @param output the output columns
   */
  static Dataset<Row> run(Packed left, Packed right, boolean together, TaskOperator.Factory factory, StructType output) {
    List<LogicalPlan> all = new ArrayList<>(List.of(left.packRows(0, together), right.packRows(1, together)));
    if (left.bounds != null) {
      all.add(left.packBounds(0));
    }
    if (right.bounds != null) {
      all.add(right.packBounds(1));
    }
    return StatefulOperators.runBlocks(left.rows.sparkSession(), all, SCHEMA.length(), factory, output);
  }

  static StructType joinedSchema(StructType left, StructType right) {
    StructType joined = left;
    for (StructField field : right.fields()) {
      joined = joined.add(field);
    }
    return joined;
  }

  /** Parses a condition in Spark SQL over columns that are named by their number in a joined row; null for null. */
  static Expression condition(Dataset<Row> any, StructType joined, String condition) {
    return condition == null ? null : BoundExpressions.of(any.sparkSession(), joined, List.of(condition))[0];
  }
}
