package io.rowtime.validate.rules;

import io.rowtime.diagnostic.Diagnostic;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/** Warns of comparisons with the literal NULL, which are unknown for every row. */
public final class NullComparisons {
  private NullComparisons() {}

  /** Returns a warning for each such comparison in a query, before it is rewritten. */
  public static List<Diagnostic> warnings(SqlNode query) {
    List<Diagnostic> found = new ArrayList<>();
    query.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlCall call) {
        if (SqlKind.COMPARISON.contains(call.getKind()) && call.operandCount() == 2 && call.getOperandList().stream().anyMatch(NullComparisons::isNull)) {
          found.add(warning(call));
        }
        return super.visit(call);
      }
    });
    return found;
  }

  private static boolean isNull(SqlNode operand) {
    return SqlUtil.isNullLiteral(operand, false);
  }

  private static Diagnostic warning(SqlCall call) {
    String test = switch (call.getKind()) {
      case EQUALS -> "IS NULL";
      case NOT_EQUALS -> "IS NOT NULL";
      default -> "IS NULL or IS NOT NULL";
    };
    return Diagnostic.warning("RT0253", call.getParserPosition(), "A comparison with NULL by " + call.getOperator().getName() + " is never true",
        "Write " + test + ", which is true or false for every value");
  }
}
