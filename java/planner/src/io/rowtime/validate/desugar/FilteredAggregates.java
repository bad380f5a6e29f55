package io.rowtime.validate.desugar;

import io.rowtime.validate.function.RowtimeOperators;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlCase;

/**
 * Rewrites calls with FILTER whose type Calcite does not derive, or not as for a call that may have no rows.
 *
 * <p>{@code PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) FILTER (WHERE c)} ignores NULL, so it is the percentile of
 * {@code CASE WHEN c THEN x END}. STRING_AGG becomes LISTAGG, as later without FILTER.
 */
final class FilteredAggregates {
  private static final Set<String> NAMES = Set.of("PERCENTILE_CONT", "PERCENTILE_DISC");

  private FilteredAggregates() {}

  /** Returns the call in the form to validate: a percentile without its filter. */
  static SqlNode resolve(SqlCall filter) {
    if (filter.operand(0) instanceof SqlBasicCall call && call.getOperator().getName().equalsIgnoreCase("STRING_AGG")
        && call.getOperandList().stream().noneMatch(SqlNodeList.class::isInstance)) {
      filter.setOperand(0, new SqlBasicCall(RowtimeOperators.LISTAGG, call.getOperandList(), call.getParserPosition(), call.getFunctionQuantifier()));
    }
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
