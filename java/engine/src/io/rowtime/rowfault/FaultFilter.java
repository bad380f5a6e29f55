package io.rowtime.rowfault;

import io.rowtime.spark.Generated;
import io.rowtime.spark.RowPredicate;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;

/**
 * A predicate that is true for the rows for which all of some expressions have a value, or NULL; it sets the others aside.
 * Its children are the expressions, and a struct of the row.
 */
final class FaultFilter extends RowPredicate implements CaughtExpression {
  private static final long serialVersionUID = 1L;

  private final FaultyRows faulty;

  FaultFilter(FaultyRows faulty, List<Expression> values, Expression row) {
    this(faulty, joined(values, row));
  }

  private FaultFilter(FaultyRows faulty, List<Expression> children) {
    super(children);
    this.faulty = faulty;
  }

  private static List<Expression> joined(List<Expression> values, Expression row) {
    List<Expression> all = new ArrayList<>(values);
    all.add(row);
    return all;
  }

  private Expression row() {
    return child(size() - 1);
  }

  @Override public Object eval(InternalRow row) {
    faulty.arrive();
    for (int i = 0; i < size() - 1; i++) {
      try {
        child(i).eval(row);
      } catch (RuntimeException e) {
        faulty.refuse(i, e, (InternalRow) row().eval(row));
        return false;
      }
    }
    return true;
  }

  /** Generates code equivalent to {@link #eval}. */
  @Override public ExprCode doGenCode(CodegenContext context, ExprCode result) {
    String its = context.addReferenceObj("faulty", faulty, FaultyRows.class.getName());
    String passes = result.value().toString();
    String computed = context.freshName("computed");
    String fault = context.freshName("fault");
    String caught = context.freshName("caught");
    StringBuilder code = new StringBuilder();
    code.append(its).append(".arrive();\nint ").append(computed).append(" = 0;\nRuntimeException ").append(fault).append(" = null;\ntry {\n");
    for (int i = 0; i < size() - 1; i++) {
      code.append("{\n").append(child(i).genCode(context).code()).append("\n}\n").append(computed).append(" = ").append(i + 1).append(";\n");
    }
    code.append("} catch (RuntimeException ").append(caught).append(") {\n").append(fault).append(" = ").append(caught).append(";\n}\n");
    ExprCode row = row().genCode(context);
    code.append("if (").append(fault).append(" != null) {\n").append(row.code()).append("\n").append(its).append(".refuse(").append(computed)
        .append(", ").append(fault).append(", ").append(row.value()).append(");\n}\n");
    code.append("boolean ").append(passes).append(" = ").append(fault).append(" == null;\n");
    return Generated.value(code.toString(), passes, Boolean.TYPE);
  }

  @Override protected Expression over(List<Expression> others) {
    return new FaultFilter(faulty, others);
  }

  @Override public String prettyName() {
    return "can_be_computed";
  }
}
