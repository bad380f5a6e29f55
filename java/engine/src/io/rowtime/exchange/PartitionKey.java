package io.rowtime.exchange;

import io.rowtime.spark.Generated;
import io.rowtime.spark.JavaExpression;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * Computes the key of the shuffle partition of a hash. The number of partitions is read when the code for a micro-batch
 * is generated or, without generated code, by the task; not when the plan is made, which may be before Spark has read
 * the checkpoint.
 */
public final class PartitionKey extends JavaExpression {
  private static final long serialVersionUID = 1L;

  private final PartitionKeys keys = new PartitionKeys();

  public PartitionKey(List<Expression> hash) {
    super(hash);
  }

  @Override public Object eval(InternalRow row) {
    Object hash = child(0).eval(row);
    return keys.of(hash == null ? 0 : (int) hash);
  }

  @Override public ExprCode doGenCode(CodegenContext context, ExprCode result) {
    String its = context.addReferenceObj("keys", Partitions.keys(Partitions.count()), "int[]");
    ExprCode hash = child(0).genCode(context);
    String key = context.freshName("key");
    String place = "java.lang.Math.floorMod(" + hash.value() + ", " + its + ".length)";
    return Generated.value(hash.code() + "\nint " + key + " = " + its + "[" + hash.isNull() + " ? 0 : " + place + "];\n",
        key, Integer.TYPE);
  }

  @Override public DataType dataType() {
    return DataTypes.IntegerType;
  }

  @Override protected Expression over(List<Expression> others) {
    return new PartitionKey(others);
  }

  @Override public String prettyName() {
    return "partition_key";
  }
}
