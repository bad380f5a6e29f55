package io.rowtime.spark;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * Evaluates its children to one BINARY value, a row in Spark's binary format. Rows with different columns can thus be
 * shuffled together.
 */
public final class PackedRow extends JavaExpression {
  private static final long serialVersionUID = 1L;

  private transient UnsafeProjection projection;

  public PackedRow(List<Expression> children) {
    super(children);
  }

  @Override public Object eval(InternalRow input) {
    if (projection == null) {
      projection = UnsafeProjection.create(children());
    }
    return projection.apply(input).getBytes();
  }

  @Override public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    ExprCode row = GenerateUnsafeProjection.createCode(context, children(), false);
    String bytes = context.freshName("packed");
    return Generated.value(row.code() + "\nbyte[] " + bytes + " = " + row.value() + ".getBytes();\n", bytes, byte[].class);
  }

  @Override public DataType dataType() {
    return DataTypes.BinaryType;
  }

  @Override protected Expression over(List<Expression> others) {
    return new PackedRow(others);
  }

  @Override public String prettyName() {
    return "packed_row";
  }
}
