package io.rowtime.operator.join;

import io.rowtime.operator.join.PackedInputs.Packed;
import io.rowtime.operator.spec.IntervalJoinSpec;
import io.rowtime.operator.spec.OperatorSpec;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Joins of streams as functions of DataFrames, called from Python. */
public final class IntervalJoinOperators {
  private IntervalJoinOperators() {}

  /**
   * Joins the rows of two streams whose intervals of base times overlap.
   *
   * @param left a streaming DataFrame; none of its columns may have Spark's event-time tag, and its column names differ
   *     from those of the other one
   * @param leftBounds a streaming DataFrame of one TIMESTAMP column, from the same source as {@code left}: instants of
   *     the watermark that this source alone has reached; null if the query's watermark is enough
   * @param spec an {@link IntervalJoinSpec} as JSON
   * @return the columns of the left side, those of the right side (none for SEMI and ANTI), and the ROWTIME of the pair
   *     (TIMESTAMP)
   */
  public static Dataset<Row> join(
      Dataset<Row> left, Dataset<Row> right, Dataset<Row> leftBounds, Dataset<Row> rightBounds, String spec) {
    IntervalJoinSpec parsed = OperatorSpec.read(IntervalJoinSpec.class, spec);
    Packed lefts = input(left, leftBounds, parsed.left(), parsed.leftOuter());
    Packed rights = input(right, rightBounds, parsed.right(), parsed.rightOuter());
    StructType leftSchema = lefts.schema(parsed.rightOuter());
    StructType rightSchema = rights.schema(parsed.leftOuter());
    StructType joined = PackedInputs.joinedSchema(leftSchema, rightSchema);
    Expression condition = PackedInputs.condition(left, joined, parsed.condition());
    return PackedInputs.run(lefts, rights, parsed.isByRows(),
        new IntervalJoinOperator.Factory(parsed, leftSchema, parsed.hasRight() ? rightSchema : new StructType(), condition),
        (parsed.hasRight() ? joined : leftSchema).add(parsed.rowtime(), DataTypes.TimestampType));
  }

  private static Packed input(Dataset<Row> rows, Dataset<Row> bounds, IntervalJoinSpec.Side side, boolean outer) {
    // Windows of ROWS count all rows of their input.
    return new Packed(rows, bounds, side.keys(), side.columns(), side.time(), outer || side.rows() != null, side.distinct());
  }
}
