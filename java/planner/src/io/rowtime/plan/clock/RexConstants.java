package io.rowtime.plan.clock;

import java.math.BigDecimal;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Reads constant lengths and numbers from expressions. */
public final class RexConstants {
  private RexConstants() {}

  /**
   * Returns the milliseconds of a constant day-time interval; null for intervals of months and for anything that is not
   * constant.
   */
  public static Long millis(RexNode interval) {
    return length(interval, false);
  }

  /** Months of a constant year-month interval; null of anything else. */
  public static Long months(RexNode interval) {
    return length(interval, true);
  }

  private static Long length(RexNode interval, boolean months) {
    RelDataType type = interval.getType();
    if (!SqlTypeUtil.isInterval(type) || type.getSqlTypeName().isYearMonth() != months) {
      return null;
    }
    if (interval instanceof RexLiteral literal) {
      BigDecimal value = literal.getValueAs(BigDecimal.class);
      return value == null ? null : value.longValue();
    }
    if (interval instanceof RexCall call && call.isA(SqlKind.MINUS_PREFIX)) {
      Long value = length(call.getOperands().get(0), months);
      return value == null ? null : -value;
    }
    if (interval instanceof RexCall call && call.isA(SqlKind.TIMES)) {
      BigDecimal factor = number(call.getOperands().get(0));
      Long value = length(call.getOperands().get(1), months);
      if (factor == null) {
        factor = number(call.getOperands().get(1));
        value = length(call.getOperands().get(0), months);
      }
      return factor == null || value == null ? null : factor.multiply(BigDecimal.valueOf(value)).longValue();
    }
    return null;
  }

  /**
   * Returns the milliseconds of a window's offset, which is a TIME in standard syntax and an interval in the table
   * function.
   */
  public static Long offset(RexNode offset) {
    if (offset instanceof RexLiteral literal && literal.getType().getSqlTypeName() == SqlTypeName.TIME) {
      return literal.getValueAs(Integer.class).longValue();
    }
    return millis(offset);
  }

  /** Returns the value of a constant number; null for anything else. */
  public static BigDecimal number(RexNode node) {
    if (node instanceof RexLiteral literal && SqlTypeUtil.isNumeric(literal.getType())) {
      return literal.getValueAs(BigDecimal.class);
    }
    if (node instanceof RexCall call && call.isA(SqlKind.MINUS_PREFIX)) {
      BigDecimal value = number(call.getOperands().get(0));
      return value == null ? null : value.negate();
    }
    if (node instanceof RexCall call && call.isA(SqlKind.CAST)) {
      return number(call.getOperands().get(0));
    }
    return null;
  }
}
