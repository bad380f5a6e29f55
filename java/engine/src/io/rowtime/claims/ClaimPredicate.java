package io.rowtime.claims;

import io.rowtime.spark.Generated;
import io.rowtime.spark.RowPredicate;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;

/** Is true for each row, and fails for one that violates a claim. Its child is a struct of the columns to check. */
final class ClaimPredicate extends RowPredicate {
  private static final long serialVersionUID = 1L;

  private final RowChecker checker;

  ClaimPredicate(RowChecker checker, List<Expression> children) {
    super(children);
    this.checker = checker;
  }

  @Override public Object eval(InternalRow row) {
    checker.check((InternalRow) child(0).eval(row));
    return true;
  }

  @Override public ExprCode doGenCode(CodegenContext context, ExprCode result) {
    ExprCode row = child(0).genCode(context);
    String its = context.addReferenceObj("checker", checker, RowChecker.class.getName());
    String holds = result.value().toString();
    return Generated.value(row.code() + "\n" + its + ".check(" + row.value() + ");\nboolean " + holds + " = true;\n", holds, Boolean.TYPE);
  }

  @Override protected Expression over(List<Expression> others) {
    return new ClaimPredicate(checker, others);
  }

  @Override public String prettyName() {
    return "claims_hold";
  }
}
