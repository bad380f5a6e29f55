package io.rowtime.plan.rewrite;

import io.rowtime.plan.clock.RexConstants;
import io.rowtime.plan.rewrite.TimeBounds.Distance;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * The difference of two times as an interval or as a number of units: {@code (later - earlier) SECOND}, or the expression to which
 * TIMESTAMPDIFF is converted. Its value is {@code factor} times the number of whole units between them.
 *
 * @param months whether the unit is a number of months, and not of milliseconds
 * @param absolute whether the value has no sign
 */
record TimeDifference(RexNode later, RexNode earlier, long unit, long factor, boolean months, boolean absolute) {

  /** Returns an expression as a difference; null if it is not one. */
  static TimeDifference of(RexNode node) {
    if (!(node instanceof RexCall call)) {
      return null;
    }
    return switch (call.getKind()) {
      case MINUS -> minus(call);
      case REINTERPRET, CAST -> isExact(call) ? of(call.getOperands().get(0)) : null;
      case DIVIDE -> divided(of(call.getOperands().get(0)), RexConstants.number(call.getOperands().get(1)));
      case TIMES -> multiplied(of(call.getOperands().get(0)), RexConstants.number(call.getOperands().get(1)));
      default -> call.getOperator().getName().equals("ABS") ? withoutSign(of(call.getOperands().get(0))) : null;
    };
  }

  private static boolean isExact(RexCall call) {
    return SqlTypeUtil.isExactNumeric(call.getType()) && (!SqlTypeUtil.isDecimal(call.getType()) || call.getType().getScale() == 0);
  }

  private static TimeDifference minus(RexCall call) {
    boolean times = call.getOperands().size() == 2 && SqlTypeUtil.isInterval(call.getType()) && call.getOperands().stream()
        .allMatch(time -> SqlTypeUtil.isDatetime(time.getType()) && time.getType().getSqlTypeName() != SqlTypeName.TIME);
    return times ? new TimeDifference(call.getOperands().get(0), call.getOperands().get(1), 1, 1,
        call.getType().getSqlTypeName().isYearMonth(), false) : null;
  }

  private static TimeDifference divided(TimeDifference value, BigDecimal by) {
    return value == null || !isCount(by) || value.factor != 1 || value.absolute ? null
        : new TimeDifference(value.later, value.earlier, value.unit * by.longValue(), 1, value.months, false);
  }

  private static TimeDifference multiplied(TimeDifference value, BigDecimal by) {
    return value == null || !isCount(by) || value.absolute ? null
        : new TimeDifference(value.later, value.earlier, value.unit, value.factor * by.longValue(), value.months, false);
  }

  private static TimeDifference withoutSign(TimeDifference value) {
    return value == null ? null : new TimeDifference(value.later, value.earlier, value.unit, value.factor, value.months, true);
  }

  private static boolean isCount(BigDecimal number) {
    return number != null && number.signum() > 0 && number.stripTrailingZeros().scale() <= 0 && number.compareTo(BigDecimal.valueOf(1_000_000_000)) < 0;
  }

  /** Returns how many milliseconds later the later time can be if the difference compares so with a constant. */
  Distance range(SqlKind kind, RexNode constant) {
    BigDecimal number = constant(constant);
    if (number == null) {
      return new Distance(null, null);
    }
    long below = number.divide(BigDecimal.valueOf(factor), 0, RoundingMode.FLOOR).longValue();
    long above = number.divide(BigDecimal.valueOf(factor), 0, RoundingMode.CEILING).longValue();
    Long most = switch (kind) {
      case LESS_THAN -> Long.valueOf(above - 1);
      case LESS_THAN_OR_EQUAL, EQUALS -> Long.valueOf(below);
      default -> null;
    };
    if (absolute) {
      return new Distance(most == null ? null : Long.valueOf(atLeast(-most)), most == null ? null : Long.valueOf(atMost(most)));
    }
    Long least = switch (kind) {
      case GREATER_THAN -> Long.valueOf(below + 1);
      case GREATER_THAN_OR_EQUAL, EQUALS -> Long.valueOf(above);
      default -> null;
    };
    return new Distance(least == null ? null : Long.valueOf(atLeast(least)), most == null ? null : Long.valueOf(atMost(most)));
  }

  private BigDecimal constant(RexNode node) {
    Long interval = SqlTypeUtil.isInterval(node.getType()) ? months ? RexConstants.months(node) : RexConstants.millis(node) : null;
    BigDecimal number = interval == null ? RexConstants.number(node) : BigDecimal.valueOf(interval);
    return number == null || number.abs().compareTo(BigDecimal.valueOf(1_000_000_000_000L)) > 0 ? null : number;
  }

  /** Returns the least milliseconds of this many whole units; differences are truncated toward zero. */
  private long atLeast(long count) {
    if (months) {
      // Ends of months are counted in several ways; one more month covers all of them.
      long least = (count - 1) * unit - 1;
      return least * (least > 0 ? TimeOffsets.SHORTEST_MONTH : TimeOffsets.LONGEST_MONTH);
    }
    return count > 0 ? count * unit : (count - 1) * unit + 1;
  }

  private long atMost(long count) {
    return -atLeast(-count);
  }
}
