package io.rowtime.operator.join;

import io.rowtime.operator.join.PackedInputs.Packed;
import io.rowtime.operator.spec.TemporalJoinSpec;
import io.rowtime.state.TaskOperator;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Joins of a stream with versions as functions of DataFrames. */
public final class TemporalJoinOperators {
  private TemporalJoinOperators() {}

  /**
   * Joins each row of a stream with the versions that are the latest at a time derived from the row, or with the next
   * row from that time on.
   *
   * @param left a streaming DataFrame; none of its columns may have Spark's event-time tag, and its column names differ
   *     from those of the other one
   * @param right a streaming DataFrame of versions
   * @param leftBounds as for {@link IntervalJoinOperators#join}
   * @param ordered whether the result must be in order of ROWTIME
   * @param condition as for {@link IntervalJoinOperators#join}
   * @return the columns of the left side, those of the right side, and the ROWTIME of the left row (TIMESTAMP)
   */
  public static Dataset<Row> join(Dataset<Row> left, Dataset<Row> right, Dataset<Row> leftBounds, Dataset<Row> rightBounds,
      TemporalJoinSpec spec, boolean ordered, String condition) {
    Packed lefts = new Packed(left, leftBounds, spec.left().keys(), spec.left().columns(), spec.left().time(), spec.isOuter(),
        false);
    // A version without a key replaces one that had a key.
    Packed rights = new Packed(right, rightBounds, spec.right().keys(), spec.right().columns(), spec.right().time(),
        spec.oneTask(), false);
    StructType leftSchema = lefts.schema(false);
    StructType rightSchema = rights.schema(false);
    StructType joined = PackedInputs.joinedSchema(leftSchema, rights.schema(spec.isOuter()));
    Expression parsed = PackedInputs.condition(left, joined, condition);
    List<String> columns = Arrays.asList(rightSchema.fieldNames());
    Expression[] identity = spec.identity().stream()
        .map(name -> new BoundReference(columns.indexOf(name), rightSchema.apply(name).dataType(), true)).toArray(Expression[]::new);
    int seq = spec.seq() == null ? -1 : columns.indexOf(spec.seq());
    TaskOperator.Factory factory = spec.within() == null
        ? new TemporalJoinOperator.Factory(spec, ordered, leftSchema, rightSchema, parsed, identity, seq)
        : new NextRowOperator.Factory(spec, ordered, leftSchema, rightSchema, seq);
    return PackedInputs.run(lefts, rights, spec.oneTask(), factory, joined.add(spec.rowtime(), DataTypes.TimestampType));
  }
}
