package io.rowtime.operator.join;

import io.rowtime.operator.join.PackedInputs.Packed;
import io.rowtime.operator.spec.UpdatingJoinSpec;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Joins of results that change as functions of DataFrames. */
public final class UpdatingJoinOperators {
  private UpdatingJoinOperators() {}

  /**
   * Joins rows that are added and retracted.
   *
   * @param left a streaming DataFrame; none of its columns may have Spark's event-time tag, and its column names differ
   *     from those of the other one
   * @param condition a condition over the columns of both sides, as Spark SQL; null if the keys are the whole condition
   * @return the columns of the left side, those of the right side (none for SEMI and ANTI), and {@link UpdatingJoinSpec#CHANGE}
   */
  public static Dataset<Row> join(Dataset<Row> left, Dataset<Row> right, UpdatingJoinSpec spec, String condition) {
    Packed lefts = input(left, spec.left(), spec.leftOuter());
    Packed rights = input(right, spec.right(), spec.rightOuter());
    StructType leftSchema = lefts.schema(spec.rightOuter());
    StructType rightSchema = rights.schema(spec.leftOuter());
    StructType joined = PackedInputs.joinedSchema(leftSchema, rightSchema);
    Expression parsed = PackedInputs.condition(left, joined, condition);
    return PackedInputs.run(lefts, rights, false,
        new UpdatingJoinOperator.Factory(spec, leftSchema, spec.hasRight() ? rightSchema : new StructType(), rightSchema.length(), parsed),
        (spec.hasRight() ? joined : leftSchema).add(UpdatingJoinSpec.CHANGE, DataTypes.LongType, false));
  }

  private static Packed input(Dataset<Row> rows, UpdatingJoinSpec.Side side, boolean outer) {
    return new Packed(rows, null, side.keys(), side.columns(), side.change(), outer, false);
  }
}
