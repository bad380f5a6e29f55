package io.rowtime.spark;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.ObjectType;

/** Evaluates its children to one row in Spark's binary format. The row's buffer is reused, and no value is boxed. */
public final class BinaryRow extends JavaExpression {
  private static final long serialVersionUID = 1L;
  private static final DataType TYPE = new ObjectType(InternalRow.class);

  private transient UnsafeProjection projection;

  BinaryRow(List<Expression> children) {
    super(children);
  }

  @Override public Object eval(InternalRow input) {
    if (projection == null) {
      projection = UnsafeProjection.create(children());
    }
    return projection.apply(input);
  }

  @Override public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    return GenerateUnsafeProjection.createCode(context, children(), false);
  }

  @Override public DataType dataType() {
    return TYPE;
  }

  @Override protected Expression over(List<Expression> others) {
    return new BinaryRow(others);
  }

  @Override public String prettyName() {
    return "binary_row";
  }
}
