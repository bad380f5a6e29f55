package io.rowtime.operator.join;

import io.rowtime.operator.join.PackedInputs.Packed;
import io.rowtime.operator.spec.IntervalJoinSpec;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Joins of streams as functions of DataFrames. */
public final class IntervalJoinOperators {
  private IntervalJoinOperators() {}

  /**
   * Joins the rows of two streams whose intervals of base times overlap.
   *
   * @param left a streaming DataFrame; none of its columns may have Spark's event-time tag, and its column names differ
   *     from those of the other one
   * @param leftBounds a streaming DataFrame of one TIMESTAMP column, from the same source as {@code left}: instants of
   *     the watermark that this source alone has reached; null if the query's watermark is enough
   * @param ordered whether the result must be in order of ROWTIME
   * @param condition a condition over the columns of both sides, as Spark SQL; null if the keys are the whole condition
   * @return the columns of the left side, those of the right side (none for SEMI and ANTI), and the ROWTIME of the pair
   *     (TIMESTAMP)
   */
  public static Dataset<Row> join(Dataset<Row> left, Dataset<Row> right, Dataset<Row> leftBounds, Dataset<Row> rightBounds,
      IntervalJoinSpec spec, boolean ordered, String condition) {
    Packed lefts = input(left, leftBounds, spec.left(), spec.leftOuter());
    Packed rights = input(right, rightBounds, spec.right(), spec.rightOuter());
    StructType leftSchema = lefts.schema(spec.rightOuter());
    StructType rightSchema = rights.schema(spec.leftOuter());
    StructType joined = PackedInputs.joinedSchema(leftSchema, rightSchema);
    Expression parsed = PackedInputs.condition(left, joined, condition);
    return PackedInputs.run(lefts, rights, spec.isByRows(),
        new IntervalJoinOperator.Factory(spec, ordered, leftSchema, spec.hasRight() ? rightSchema : new StructType(), parsed),
        (spec.hasRight() ? joined : leftSchema).add(spec.rowtime(), DataTypes.TimestampType));
  }

  private static Packed input(Dataset<Row> rows, Dataset<Row> bounds, IntervalJoinSpec.Side side, boolean outer) {
    // Windows of ROWS count all rows of their input.
    return new Packed(rows, bounds, side.keys(), side.columns(), side.time(), outer || side.rows() != null, side.distinct());
  }
}
