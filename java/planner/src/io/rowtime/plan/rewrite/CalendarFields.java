package io.rowtime.plan.rewrite;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** Comparisons of times by their years, or field by field: {@code YEAR(a) = YEAR(b) AND MONTH(a) = MONTH(b)}. */
final class CalendarFields {
  private static final List<TimeUnit> FIELDS = List.of(TimeUnit.YEAR, TimeUnit.MONTH, TimeUnit.DAY, TimeUnit.HOUR, TimeUnit.MINUTE, TimeUnit.SECOND);

  private CalendarFields() {}

  /** Returns the beginning of the year whose number an expression is; null for any other expression. */
  static RexNode floor(RexNode node, RexBuilder rex) {
    return unit(node) == TimeUnit.YEAR ? floor(time(node), TimeUnit.YEAR, rex) : null;
  }

  /** Returns equalities of whole times that follow from conditions that compare fields, from the year on. */
  static List<RexNode> equalities(List<RexNode> conditions, RexBuilder rex) {
    List<RexNode> found = new ArrayList<>();
    for (RexNode condition : conditions) {
      if (isEqualField(condition) && unit(((RexCall) condition).getOperands().get(0)) == TimeUnit.YEAR) {
        Set<RexNode> times = times(condition);
        TimeUnit finest = TimeUnit.YEAR;
        for (TimeUnit unit : FIELDS.subList(1, FIELDS.size())) {
          if (conditions.stream().noneMatch(other -> isEqualField(other) && unit(((RexCall) other).getOperands().get(0)) == unit
              && times(other).equals(times))) {
            break;
          }
          finest = unit;
        }
        TimeUnit common = finest;
        List<RexNode> sides = ((RexCall) condition).getOperands().stream().map(side -> floor(time(side), common, rex)).toList();
        found.add(rex.makeCall(SqlStdOperatorTable.EQUALS, sides));
      }
    }
    return found;
  }

  private static boolean isEqualField(RexNode node) {
    return node.isA(SqlKind.EQUALS) && unit(((RexCall) node).getOperands().get(0)) != null
        && unit(((RexCall) node).getOperands().get(0)) == unit(((RexCall) node).getOperands().get(1));
  }

  private static Set<RexNode> times(RexNode equality) {
    Set<RexNode> times = new HashSet<>();
    ((RexCall) equality).getOperands().forEach(side -> times.add(time(side)));
    return times;
  }

  private static RexNode floor(RexNode time, TimeUnit unit, RexBuilder rex) {
    return rex.makeCall(SqlStdOperatorTable.FLOOR, time, rex.makeFlag(TimeUnitRange.of(unit, null)));
  }

  private static RexNode time(RexNode extract) {
    return ((RexCall) extract).getOperands().get(1);
  }

  private static TimeUnit unit(RexNode node) {
    return node.isA(SqlKind.EXTRACT) && ((RexCall) node).getOperands().get(0) instanceof RexLiteral literal
        && literal.getValue() instanceof TimeUnitRange range && range.endUnit == null ? range.startUnit : null;
  }
}
