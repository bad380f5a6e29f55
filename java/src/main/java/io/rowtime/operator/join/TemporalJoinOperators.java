package io.rowtime.operator.join;

import io.rowtime.operator.join.PackedInputs.Packed;
import io.rowtime.operator.spec.OperatorSpec;
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

/** Joins of a stream with versions as functions of DataFrames, called from Python. */
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
   * @param spec a {@link TemporalJoinSpec} as JSON
   * @return the columns of the left side, those of the right side, and the ROWTIME of the left row (TIMESTAMP)
   */
  public static Dataset<Row> join(
      Dataset<Row> left, Dataset<Row> right, Dataset<Row> leftBounds, Dataset<Row> rightBounds, String spec) {
    TemporalJoinSpec parsed = OperatorSpec.read(TemporalJoinSpec.class, spec);
    Packed lefts = new Packed(left, leftBounds, parsed.left().keys(), parsed.left().columns(), parsed.left().time(), parsed.isOuter(),
        false);
    // A version without a key replaces one that had a key.
    Packed rights = new Packed(right, rightBounds, parsed.right().keys(), parsed.right().columns(), parsed.right().time(),
        parsed.oneTask(), false);
    StructType leftSchema = lefts.schema(false);
    StructType rightSchema = rights.schema(false);
    StructType joined = PackedInputs.joinedSchema(leftSchema, rights.schema(parsed.isOuter()));
    Expression condition = PackedInputs.condition(left, joined, parsed.condition());
    List<String> columns = Arrays.asList(rightSchema.fieldNames());
    Expression[] identity = parsed.identity().stream()
        .map(name -> new BoundReference(columns.indexOf(name), rightSchema.apply(name).dataType(), true)).toArray(Expression[]::new);
    int seq = parsed.seq() == null ? -1 : columns.indexOf(parsed.seq());
    TaskOperator.Factory factory = parsed.within() == null
        ? new TemporalJoinOperator.Factory(parsed, leftSchema, rightSchema, condition, identity, seq)
        : new NextRowOperator.Factory(parsed, leftSchema, rightSchema, seq);
    return PackedInputs.run(lefts, rights, parsed.oneTask(), factory, joined.add(parsed.rowtime(), DataTypes.TimestampType));
  }
}
