package io.rowtime.operator.join;

import io.rowtime.operator.spec.IntervalJoinSpec;
import io.rowtime.operator.spec.OperatorSpec;
import io.rowtime.spark.Frames;
import io.rowtime.spark.PackedRow;
import io.rowtime.state.Partitions;
import io.rowtime.state.StatefulOperators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;

/** Joins of streams as functions of DataFrames, for Python to call. */
public final class IntervalJoinOperators {
  private static final String INPUT = "rowtime_input";
  private static final String TIME = "rowtime_time";
  private static final String KEY = "rowtime_key";
  private static final String ROW = "rowtime_row";

  private IntervalJoinOperators() {}

  /**
   * Joins the rows of two streams whose intervals of base times meet.
   *
   * @param left a streaming DataFrame; no column of it may carry Spark's event-time tag, and its names are not those of the
   *     other one
   * @param leftBounds a streaming DataFrame of one TIMESTAMP column, of the same source as {@code left}: instants of the watermark
   *     that this source alone has reached; null where the query's watermark says all
   * @param spec an {@link IntervalJoinSpec} as JSON
   * @return the columns of the left side, those of the right side (of SEMI and ANTI: none), and the ROWTIME of the pair (TIMESTAMP)
   */
  public static Dataset<Row> join(
      Dataset<Row> left, Dataset<Row> right, Dataset<Row> leftBounds, Dataset<Row> rightBounds, String spec) {
    IntervalJoinSpec parsed = OperatorSpec.read(IntervalJoinSpec.class, spec);
    StructType lefts = columns(left, parsed.left(), parsed.rightOuter());
    StructType joined = lefts;
    for (StructField field : columns(right, parsed.right(), parsed.leftOuter()).fields()) {
      joined = joined.add(field);
    }
    Expression condition = parsed.condition() == null ? null : bound(left, joined, parsed.condition());
    Dataset<Row> rows = rows(left, 0, parsed.left(), parsed.leftOuter()).unionAll(rows(right, 1, parsed.right(), parsed.rightOuter()));
    rows = withBounds(withBounds(rows, 0, leftBounds), 1, rightBounds);
    // Rows without a key go anywhere, bounds to all partitions.
    Column together = parsed.isByRows() ? functions.lit(0) : functions.hash(functions.coalesce(functions.col(KEY), functions.col(ROW)));
    Column hash = functions.when(functions.col(ROW).isNull(), functions.shiftright(functions.col(INPUT), 1).minus(1))
        .otherwise(together);
    return StatefulOperators.run(rows, hash,
        new IntervalJoinOperator.Factory(parsed, StatefulOperators.input(rows.schema()), condition),
        (parsed.hasRight() ? joined : lefts).add(parsed.rowtime(), DataTypes.TimestampType));
  }

  private static StructType columns(Dataset<Row> rows, IntervalJoinSpec.Side side, boolean nullable) {
    StructType schema = new StructType();
    for (String column : side.columns()) {
      StructField field = rows.schema().apply(column);
      schema = schema.add(column, field.dataType(), nullable || field.nullable());
    }
    return schema;
  }

  /** The rows of an input as they travel. Those that can match nothing stay where they are, unless they come out all the same. */
  private static Dataset<Row> rows(Dataset<Row> rows, int number, IntervalJoinSpec.Side side, boolean outer) {
    Column key = packed(side.keys());
    Column known = functions.lit(true);
    for (String name : side.keys()) {
      known = known.and(Frames.column(name).isNotNull());
    }
    // Windows of ROWS count all rows of their input.
    Dataset<Row> given = outer || side.rows() != null ? rows : rows.filter(known);
    return given.select(functions.lit(number).as(INPUT), Frames.column(side.time()).as(TIME),
        functions.when(known, key).as(KEY), packed(side.columns()).as(ROW));
  }

  /**
   * Adds the bounds of an input, each once for each partition of the operator: {@link JoinInput#INPUT} is the number of the input,
   * and twice the number of the partition plus one.
   */
  private static Dataset<Row> withBounds(Dataset<Row> rows, int number, Dataset<Row> bounds) {
    if (bounds == null) {
      return rows;
    }
    Column partition = functions.explode(Partitions.numbers());
    Column time = Frames.column(bounds.columns()[0]);
    Column none = functions.lit(null).cast(DataTypes.BinaryType);
    return rows.unionAll(bounds.select(time.as(TIME), partition.as(INPUT))
        .select(functions.col(INPUT).multiply(2).plus(2 + number).as(INPUT), functions.col(TIME), none.as(KEY), none.as(ROW)));
  }

  private static Column packed(List<String> names) {
    List<Expression> children = new ArrayList<>();
    names.forEach(name -> children.add(ExpressionUtils.expression(Frames.column(name))));
    return ExpressionUtils.column(new PackedRow(children));
  }

  /** A condition over columns, each as the number that it has in a joined row. */
  private static Expression bound(Dataset<Row> any, StructType joined, String condition) {
    LogicalPlan plan = any.sparkSession().createDataFrame(List.<Row>of(), joined).filter(condition).queryExecution().analyzed();
    Filter filter = (Filter) plan;
    List<String> names = Arrays.asList(joined.fieldNames());
    return filter.condition().transform(new AbstractPartialFunction<Expression, Expression>() {
      @Override public boolean isDefinedAt(Expression expression) {
        return expression instanceof Attribute;
      }

      @Override public Expression apply(Expression expression) {
        Attribute attribute = (Attribute) expression;
        return new BoundReference(names.indexOf(attribute.name()), attribute.dataType(), true);
      }
    });
  }
}
