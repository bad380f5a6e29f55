package io.rowtime.operators;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.ObjectType;

/** Its children as one row in Spark's binary form, valid until the next one is asked for: nothing is boxed on the way. */
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
    ExprCode written = GenerateUnsafeProjection.createCode(context, children(), false);
    if (context.INPUT_ROW() == null || context.currentVars() != null || !inOrder()) {
      return written;
    }
    // A row that already has these columns, and no others, is taken as it is.
    String in = context.INPUT_ROW();
    String row = context.freshName("row");
    String text = String.format("UnsafeRow %1$s;%nif (%2$s instanceof UnsafeRow && %2$s.numFields() == %3$d) {%n  %1$s = (UnsafeRow) %2$s;%n"
        + "} else {%n  %4$s%n  %1$s = %5$s;%n}%n", row, in, size(), written.code(), written.value());
    return Generated.value(text, row, UnsafeRow.class);
  }

  private boolean inOrder() {
    for (int i = 0; i < size(); i++) {
      if (!(child(i) instanceof BoundReference reference) || reference.ordinal() != i) {
        return false;
      }
    }
    return true;
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
