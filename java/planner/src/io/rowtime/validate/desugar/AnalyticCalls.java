package io.rowtime.validate.desugar;

import io.rowtime.aggregate.AggregateFunction;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.validate.function.RowtimeOperators;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Rewrites FILTER and WITHIN GROUP between an analytic function and OVER, which Calcite supports in GROUP BY only. */
final class AnalyticCalls {
  private static final Set<String> PERCENTILES = Set.of("PERCENTILE_CONT", "PERCENTILE_DISC");

  private AnalyticCalls() {}

  /** Returns an OVER whose function is a plain call. The tree is changed in place. */
  static SqlCall toPlainCall(SqlCall over) {
    SqlNode function = over.operand(0);
    if (function.getKind() == SqlKind.FILTER) {
      SqlCall filtered = applyFilter(((SqlCall) function).operand(0), ((SqlCall) function).operand(1));
      over.setOperand(0, filtered);
    } else if (function.getKind() == SqlKind.WITHIN_GROUP) {
      over.setOperand(0, withinGroup((SqlCall) function));
    } else if (function instanceof SqlCall call && PERCENTILES.contains(name(call))) {
      if (call.operandCount() != 2) {
        throw new DiagnosticException("RT0118", call.getParserPosition(), name(call) + " OVER needs an order of its values",
            "write " + name(call) + "(0.5) WITHIN GROUP (ORDER BY x) OVER (…)");
      }
      over.setOperand(0, percentile(call, call.operand(0), call.operand(1)));
    }
    return over;
  }

  /** Converts {@code COUNT(*) FILTER (WHERE c)} to {@code COUNT(CASE WHEN c THEN 1 END)}. */
  private static SqlCall applyFilter(SqlCall call, SqlNode condition) {
    SqlParserPos pos = call.getParserPosition();
    if (!AggregateFunction.skipsNulls(name(call))) {
      throw new DiagnosticException("RT0118", pos, "FILTER cannot be used with " + name(call) + " OVER",
          "put CASE WHEN … THEN … END into its argument, or filter the rows in a sub-query");
    }
    boolean star = call.operandCount() == 0 || call.operand(0).toString().equals("*");
    SqlNode value = star ? SqlLiteral.createExactNumeric("1", pos) : call.operand(0);
    SqlNode chosen = SqlCase.createSwitched(pos, null, SqlNodeList.of(condition), SqlNodeList.of(value), null);
    SqlNode[] operands = star ? new SqlNode[1] : call.getOperandList().toArray(SqlNode[]::new);
    operands[0] = chosen;
    return call.getOperator().createCall(call.getFunctionQuantifier(), pos, operands);
  }

  private static SqlCall withinGroup(SqlCall within) {
    SqlCall call = within.operand(0);
    SqlNodeList order = within.operand(1);
    if (!PERCENTILES.contains(name(call)) || call.operandCount() != 1 || order.size() != 1) {
      throw new DiagnosticException("RT0118", within.getParserPosition(), name(call) + " … WITHIN GROUP cannot be used with OVER",
          "a window has its own order: remove WITHIN GROUP");
    }
    if (order.get(0).getKind() == SqlKind.DESCENDING && name(call).equals("PERCENTILE_DISC")) {
      throw new DiagnosticException("RT0118", order.get(0).getParserPosition(), "PERCENTILE_DISC OVER supports only ascending order",
          "remove DESC, and count the fraction from the other end");
    }
    return percentile(call, order.get(0), call.operand(0));
  }

  private static SqlCall percentile(SqlCall call, SqlNode value, SqlNode fraction) {
    BigDecimal part = fraction instanceof SqlNumericLiteral literal ? literal.bigDecimalValue() : null;
    if (part == null || part.signum() < 0 || part.compareTo(BigDecimal.ONE) > 0) {
      throw new DiagnosticException("RT0118", fraction.getParserPosition(), name(call) + " takes a constant between 0 and 1",
          "for example " + name(call) + "(0.5)");
    }
    SqlNode of = value;
    if (value.getKind() == SqlKind.DESCENDING) {
      of = ((SqlCall) value).operand(0);
      part = BigDecimal.ONE.subtract(part);
    }
    SqlNode at = SqlLiteral.createExactNumeric(part.toPlainString(), fraction.getParserPosition());
    return (name(call).equals("PERCENTILE_CONT") ? RowtimeOperators.PERCENTILE_CONT : RowtimeOperators.PERCENTILE_DISC)
        .createCall(call.getParserPosition(), of, at);
  }

  private static String name(SqlCall call) {
    return call.getOperator().getName().toUpperCase(Locale.ROOT);
  }
}
