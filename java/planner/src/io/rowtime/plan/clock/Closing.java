package io.rowtime.plan.clock;

import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.TimestampString;

/**
 * Computes the closing time of a value of a time column: the least bound of ROWTIME from which on no row can have that
 * value.
 *
 * <p>A value {@code h} of {@code FLOOR(rowtime TO HOUR)} closes at {@code h + 1 hour}. {@code rowtime} itself stands
 * for the window of one millisecond that contains it, and closes one millisecond later; so does {@code CEIL}. A value
 * of {@code FLOOR(FROM_UTC_TIMESTAMP(rowtime, zone) TO DAY)} closes when no clock of the zone can show that day again.
 */
public final class Closing {
  private static final SqlIntervalQualifier MILLIS =
      new SqlIntervalQualifier(TimeUnit.SECOND, 10, null, 3, SqlParserPos.ZERO);

  /**
   * Occurs only in plans: the least time in UTC from which on no clock of a zone shows an earlier time than the
   * argument.
   */
  private static final SqlFunction LOCAL_REACHED = new SqlFunction("LOCAL_REACHED", SqlKind.OTHER_FUNCTION,
      ReturnTypes.ARG0, null, OperandTypes.ANY_ANY, SqlFunctionCategory.SYSTEM);

  private final RexBuilder rex;

  public Closing(RexBuilder rex) {
    this.rex = rex;
  }

  /**
   * Returns the closing time of the value that {@code value} reads.
   *
   * @param steps how the value follows from ROWTIME, first step first
   */
  public RexNode of(RexNode value, List<ClockStep> steps) {
    RexNode end = null;
    RexNode exact = timestamp(value);
    for (int i = steps.size() - 1; i >= 0; i--) {
      ClockStep step = steps.get(i);
      if (end != null) {
        end = threshold(end, step);
      } else if (step.function() == ClockStep.Function.LOCAL) {
        end = threshold(plus(exact, 1), step);
      } else if (step.function() == ClockStep.Function.SHIFT) {
        exact = plus(exact, -step.millis());
      } else {
        end = step.function() == ClockStep.Function.CEIL ? plus(exact, 1)
            : step.isCalendar() ? rex.makeCall(SqlStdOperatorTable.DATETIME_PLUS, exact, months(step.unit()))
            : plus(exact, step.millis());
      }
    }
    return end == null ? plus(exact, 1) : end;
  }

  /** Returns the least bound from which on the step gives at least {@code time}. */
  private RexNode threshold(RexNode time, ClockStep step) {
    if (step.function() == ClockStep.Function.SHIFT) {
      return plus(time, -step.millis());
    }
    if (step.function() == ClockStep.Function.LOCAL) {
      return rex.makeCall(LOCAL_REACHED, time, rex.makeLiteral(step.zone()));
    }
    RexNode ceiling = step.isCalendar()
        ? rex.makeCall(SqlStdOperatorTable.CEIL, time, rex.makeFlag(TimeUnitRange.of(step.unit(), null)))
        : rex.makeCall(SqlStdOperatorTable.TUMBLE_OLD, List.of(plus(time, step.millis() - 1), interval(step.millis()), interval(step.offset())));
    if (step.function() == ClockStep.Function.FLOOR) {
      return ceiling;
    }
    RexNode before = step.isCalendar()
        ? rex.makeCall(time.getType(), SqlStdOperatorTable.MINUS_DATE, List.of(ceiling, months(step.unit())))
        : plus(ceiling, -step.millis());
    return plus(before, 1);
  }

  /**
   * Returns a value of the clock's column as a timestamp. A number counts milliseconds, because bounds are whole
   * numbers.
   */
  public RexNode timestamp(RexNode value) {
    if (value.getType().getSqlTypeName() == SqlTypeName.TIMESTAMP) {
      return value;
    }
    if (SqlTypeUtil.isNumeric(value.getType())) {
      RexNode whole = SqlTypeUtil.isIntType(value.getType()) ? value : rex.makeCast(
          rex.getTypeFactory().createTypeWithNullability(rex.getTypeFactory().createSqlType(SqlTypeName.BIGINT), value.getType().isNullable()),
          rex.makeCall(SqlStdOperatorTable.FLOOR, value));
      return rex.makeCall(SqlStdOperatorTable.DATETIME_PLUS, rex.makeTimestampLiteral(TimestampString.fromMillisSinceEpoch(0), 3),
          rex.makeCall(SqlStdOperatorTable.MULTIPLY, interval(1), whole));
    }
    return rex.makeCast(rex.getTypeFactory().createTypeWithNullability(
        rex.getTypeFactory().createSqlType(SqlTypeName.TIMESTAMP), value.getType().isNullable()), value);
  }

  private RexNode plus(RexNode time, long millis) {
    return plus(rex, time, millis);
  }

  /** Adds milliseconds to a time. If the time is already such a sum, the amounts are added up. */
  public static RexNode plus(RexBuilder rex, RexNode time, long millis) {
    if (time instanceof RexCall call && call.getOperator() == SqlStdOperatorTable.DATETIME_PLUS) {
      Long moved = RexConstants.millis(call.getOperands().get(1));
      if (moved != null) {
        return plus(rex, call.getOperands().get(0), moved + millis);
      }
    }
    return millis == 0 ? time : rex.makeCall(SqlStdOperatorTable.DATETIME_PLUS, time, interval(rex, millis));
  }

  private RexNode interval(long millis) {
    return interval(rex, millis);
  }

  /** Returns an interval literal of {@code millis} milliseconds. */
  public static RexNode interval(RexBuilder rex, long millis) {
    return rex.makeIntervalLiteral(BigDecimal.valueOf(millis), MILLIS);
  }

  private RexNode months(TimeUnit unit) {
    return rex.makeIntervalLiteral(unit == TimeUnit.MONTH ? BigDecimal.ONE : unit.multiplier,
        new SqlIntervalQualifier(TimeUnit.MONTH, 10, null, 0, SqlParserPos.ZERO));
  }
}
