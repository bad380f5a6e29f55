package io.rowtime.spark;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.FalseLiteral$;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.ObjectType;

/** The input row of the expression, unchanged in memory, with all its columns. */
public final class WholeRow extends JavaExpression {
  private static final long serialVersionUID = 1L;
  private static final DataType TYPE = new ObjectType(InternalRow.class);

  public WholeRow() {
    super(List.of());
  }

  @Override public DataType dataType() {
    return TYPE;
  }

  @Override public Object eval(InternalRow input) {
    return input;
  }

  @Override public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    return ExprCode.apply(FalseLiteral$.MODULE$, JavaCode.variable(context.INPUT_ROW(), InternalRow.class));
  }

  @Override protected Expression over(List<Expression> others) {
    return this;
  }

  @Override public boolean equals(Object other) {
    return other instanceof WholeRow;
  }

  @Override public int hashCode() {
    return WholeRow.class.hashCode();
  }
}
