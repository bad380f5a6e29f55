package io.rowtime.rowfault;

import io.rowtime.spark.Generated;
import io.rowtime.spark.JavaExpression;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;

/**
 * An expression that is NULL if it has no value, which is noted. Its children are the expression itself, and a struct of the
 * row.
 *
 * <p>It counts as not deterministic, so that Spark computes it once for a row, where the plan does.
 */
final class NulledFault extends JavaExpression implements CaughtExpression {
  private static final long serialVersionUID = 1L;

  private final FaultyRows faulty;
  private final int number;

  /** @param number the number of the expression among the texts of {@code faulty} */
  NulledFault(FaultyRows faulty, int number, Expression value, Expression row) {
    this(faulty, number, List.of(value, row));
  }

  private NulledFault(FaultyRows faulty, int number, List<Expression> children) {
    super(children);
    this.faulty = faulty;
    this.number = number;
  }

  @Override public DataType dataType() {
    return child(0).dataType();
  }

  @Override public boolean nullable() {
    return true;
  }

  @Override public boolean deterministic() {
    return false;
  }

  @Override public Object eval(InternalRow row) {
    faulty.arrive();
    try {
      return child(0).eval(row);
    } catch (RuntimeException e) {
      faulty.refuse(number, e, (InternalRow) child(1).eval(row));
      return null;
    }
  }

  /** Generates code equivalent to {@link #eval}. */
  @Override public ExprCode doGenCode(CodegenContext context, ExprCode result) {
    ExprCode value = child(0).genCode(context);
    ExprCode row = child(1).genCode(context);
    String its = context.addReferenceObj("faulty", faulty, FaultyRows.class.getName());
    String fault = context.freshName("fault");
    String nothing = CodeGenerator.defaultValue(dataType(), false);
    String code = its + ".arrive();\nboolean " + result.isNull() + " = true;\n"
        + CodeGenerator.javaType(dataType()) + " " + result.value() + " = " + nothing + ";\n"
        + "try {\n" + value.code() + "\n"
        + result.value() + " = " + value.value() + ";\n" + result.isNull() + " = " + value.isNull() + ";\n"
        + "} catch (RuntimeException " + fault + ") {\n"
        + row.code() + "\n" + its + ".refuse(" + number + ", " + fault + ", " + row.value() + ");\n}\n";
    return Generated.nullable(code, result);
  }

  @Override protected Expression over(List<Expression> others) {
    return new NulledFault(faulty, number, others);
  }

  @Override public String prettyName() {
    return "null_if_it_fails";
  }
}
