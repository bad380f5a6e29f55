package io.rowtime.operator.join;

import io.rowtime.operator.spec.IntervalJoinSpec;
import io.rowtime.operator.spec.OperatorSpec;
import io.rowtime.spark.Frames;
import io.rowtime.spark.PackedRow;
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
   * @param spec an {@link IntervalJoinSpec} as JSON
   * @return the columns of the left side, those of the right side, and the ROWTIME of the pair (TIMESTAMP)
   */
  public static Dataset<Row> join(Dataset<Row> left, Dataset<Row> right, String spec) {
    IntervalJoinSpec parsed = OperatorSpec.read(IntervalJoinSpec.class, spec);
    StructType joined = columns(left, parsed.left(), parsed.rightOuter());
    for (StructField field : columns(right, parsed.right(), parsed.leftOuter()).fields()) {
      joined = joined.add(field);
    }
    Expression condition = parsed.condition() == null ? null : bound(left, joined, parsed.condition());
    Dataset<Row> rows = rows(left, 0, parsed.left(), parsed.leftOuter()).unionAll(rows(right, 1, parsed.right(), parsed.rightOuter()));
    // Rows without a key go anywhere.
    Column hash = functions.hash(functions.coalesce(functions.col(KEY), functions.col(ROW)));
    return StatefulOperators.run(rows, hash,
        new IntervalJoinOperator.Factory(parsed, StatefulOperators.input(rows.schema()), condition),
        joined.add(parsed.rowtime(), DataTypes.TimestampType));
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
    Dataset<Row> given = outer ? rows : rows.filter(known);
    return given.select(functions.lit(number).as(INPUT), Frames.column(side.time()).as(TIME),
        (outer ? functions.when(known, key) : key).as(KEY), packed(side.columns()).as(ROW));
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
