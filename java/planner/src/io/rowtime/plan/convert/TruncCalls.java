package io.rowtime.plan.convert;

import io.rowtime.plan.clock.Closing;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/**
 * Converts {@code TIMESTAMP_TRUNC(t, unit)} and related functions to FLOOR to that unit, whose monotonicity is known.
 * Weeks that begin on another day than FLOOR's become TUMBLE. ISOYEAR has no equivalent and stays a call.
 */
final class TruncCalls {
  private static final Set<String> FUNCTIONS = Set.of("TIMESTAMP_TRUNC", "DATETIME_TRUNC", "DATE_TRUNC");
  private static final Set<TimeUnit> UNITS = Set.of(TimeUnit.MILLISECOND, TimeUnit.SECOND, TimeUnit.MINUTE, TimeUnit.HOUR,
      TimeUnit.DAY, TimeUnit.WEEK, TimeUnit.MONTH, TimeUnit.QUARTER, TimeUnit.YEAR, TimeUnit.DECADE, TimeUnit.CENTURY,
      TimeUnit.MILLENNIUM);
  private static final long DAY = TimeUnit.DAY.multiplier.longValue();
  /** The first such day on or after 1970-01-01, which was a Thursday, in days after that date. */
  private static final Map<String, Integer> FIRST_DAYS = Map.of("ISOWEEK", 4, "WEEK_SUNDAY", 3, "WEEK_MONDAY", 4,
      "WEEK_TUESDAY", 5, "WEEK_WEDNESDAY", 6, "WEEK_THURSDAY", 0, "WEEK_FRIDAY", 1, "WEEK_SATURDAY", 2);

  private TruncCalls() {}

  static boolean matches(SqlCall call) {
    return FUNCTIONS.contains(call.getOperator().getName());
  }

  static RexNode convert(SqlRexContext context, SqlCall sql) {
    RexNode converted = StandardConvertletTable.INSTANCE.get(sql).convertCall(context, sql);
    if (!(converted instanceof RexCall call) || call.getOperands().size() != 2
        || !(call.getOperands().get(1) instanceof RexLiteral unit)) {
      return converted;
    }
    RexBuilder rex = context.getRexBuilder();
    RexNode time = call.getOperands().get(0);
    TimeUnitRange range = range(unit);
    if (range != null) {
      return rex.makeCall(call.getType(), SqlStdOperatorTable.FLOOR, List.of(time, rex.makeFlag(range)));
    }
    Integer first = unit.getTypeName() == SqlTypeName.CHAR ? FIRST_DAYS.get(unit.getValueAs(String.class)) : null;
    return first == null || time.getType().getSqlTypeName() != SqlTypeName.TIMESTAMP ? call
        : rex.makeCall(call.getType(), SqlStdOperatorTable.TUMBLE_OLD,
            List.of(time, Closing.interval(rex, 7 * DAY), Closing.interval(rex, first * DAY)));
  }

  /** Returns the unit if FLOOR supports it, else null. */
  private static TimeUnitRange range(RexLiteral literal) {
    TimeUnit unit = literal.getValue() instanceof TimeUnitRange range ? range.startUnit
        : literal.getValue() instanceof TimeUnit named ? named : null;
    return unit != null && UNITS.contains(unit) ? TimeUnitRange.of(unit, null) : null;
  }
}
