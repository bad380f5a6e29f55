package io.rowtime.plan.rewrite;

import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Replaces TUMBLE by a month, a quarter, a year or a decade by FLOOR to that unit. All windows are aligned to 1970, at
 * which each of these units starts.
 */
final class CalendarTumbles extends RexShuttle {
  private static final Map<Integer, TimeUnitRange> UNITS = Map.of(1, TimeUnitRange.MONTH, 3, TimeUnitRange.QUARTER,
      12, TimeUnitRange.YEAR, 120, TimeUnitRange.DECADE);

  private final RexBuilder rex;

  private CalendarTumbles(RexBuilder rex) {
    this.rex = rex;
  }

  /** Returns the node with each such TUMBLE replaced by FLOOR. */
  static RelNode replace(RelNode rel) {
    return rel.accept(new CalendarTumbles(rel.getCluster().getRexBuilder()));
  }

  @Override public RexNode visitCall(RexCall call) {
    RexCall same = (RexCall) super.visitCall(call);
    TimeUnitRange unit = same.isA(SqlKind.TUMBLE) && same.getOperands().size() == 2 ? unit(same.getOperands().get(1)) : null;
    return unit == null ? same
        : rex.makeCall(same.getType(), SqlStdOperatorTable.FLOOR, List.of(same.getOperands().get(0), rex.makeFlag(unit)));
  }

  private static TimeUnitRange unit(RexNode size) {
    boolean months = size instanceof RexLiteral && size.getType().getSqlTypeName().isYearMonth();
    return months ? UNITS.get(((RexLiteral) size).getValueAs(Integer.class)) : null;
  }
}
