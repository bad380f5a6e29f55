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
 * An expression that names the row if it has no value. Its children are the expression itself, and a struct of the columns
 * that are named.
 */
final class NamedFault extends JavaExpression implements CaughtExpression {
  private static final long serialVersionUID = 1L;

  private final FaultNamer namer;

  NamedFault(FaultNamer namer, Expression value, Expression shown) {
    this(namer, List.of(value, shown));
  }

  private NamedFault(FaultNamer namer, List<Expression> children) {
    super(children);
    this.namer = namer;
  }

  @Override public DataType dataType() {
    return child(0).dataType();
  }

  @Override public boolean nullable() {
    return child(0).nullable();
  }

  @Override public Object eval(InternalRow row) {
    try {
      return child(0).eval(row);
    } catch (RuntimeException e) {
      if (namer.isNoFault(e)) {
        throw e;
      }
      throw namer.named(e, (InternalRow) child(1).eval(row));
    }
  }

  /** Generates code equivalent to {@link #eval}. */
  @Override public ExprCode doGenCode(CodegenContext context, ExprCode result) {
    ExprCode value = child(0).genCode(context);
    ExprCode shown = child(1).genCode(context);
    String its = context.addReferenceObj("namer", namer, FaultNamer.class.getName());
    String fault = context.freshName("fault");
    String code = "boolean " + result.isNull() + " = true;\n"
        + CodeGenerator.javaType(dataType()) + " " + result.value() + " = " + CodeGenerator.defaultValue(dataType(), false) + ";\n"
        + "try {\n" + value.code() + "\n"
        + result.isNull() + " = " + value.isNull() + ";\n" + result.value() + " = " + value.value() + ";\n"
        + "} catch (RuntimeException " + fault + ") {\n"
        + "if (" + its + ".isNoFault(" + fault + ")) throw " + fault + ";\n"
        + shown.code() + "\nthrow " + its + ".named(" + fault + ", " + shown.value() + ");\n}\n";
    return Generated.nullable(code, result);
  }

  @Override protected Expression over(List<Expression> others) {
    return new NamedFault(namer, others);
  }

  @Override public boolean equals(Object other) {
    return other instanceof NamedFault that && namer.equals(that.namer) && child(0).equals(that.child(0)) && child(1).equals(that.child(1));
  }

  @Override public int hashCode() {
    return 31 * namer.hashCode() + child(0).hashCode();
  }

  @Override public String prettyName() {
    return "named_fault";
  }
}
