package io.rowtime.validate.desugar;

import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlCase;

/**
 * Rewrites {@code PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) FILTER (WHERE c)}, whose type Calcite cannot derive.
 * Percentiles ignore NULL, so it is the percentile of {@code CASE WHEN c THEN x END}.
 */
final class FilteredPercentiles {
  private static final Set<String> NAMES = Set.of("PERCENTILE_CONT", "PERCENTILE_DISC");

  private FilteredPercentiles() {}

  /** Returns the call without its filter, if {@code filter} is one of a percentile; else the call itself. */
  static SqlNode resolve(SqlCall filter) {
    if (filter.operand(0).getKind() != SqlKind.WITHIN_GROUP) {
      return filter;
    }
    SqlCall within = filter.operand(0);
    SqlNodeList order = within.operand(1);
    if (!(within.operand(0) instanceof SqlCall call) || !NAMES.contains(call.getOperator().getName().toUpperCase(Locale.ROOT)) || order.size() != 1) {
      return filter;
    }
    order.set(0, caseWhen(order.get(0), filter.operand(1)));
    return within;
  }

  private static SqlNode caseWhen(SqlNode key, SqlNode condition) {
    if (key instanceof SqlCall call && Set.of(SqlKind.DESCENDING, SqlKind.NULLS_FIRST, SqlKind.NULLS_LAST).contains(key.getKind())) {
      call.setOperand(0, caseWhen(call.operand(0), condition));
      return call;
    }
    return SqlCase.createSwitched(key.getParserPosition(), null, SqlNodeList.of(condition), SqlNodeList.of(key), null);
  }
}
