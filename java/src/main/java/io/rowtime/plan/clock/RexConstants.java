package io.rowtime.plan.clock;

import java.math.BigDecimal;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Lengths and numbers that expressions state as constants. */
public final class RexConstants {
  private RexConstants() {}

  /** Milliseconds of a constant day-time interval; null for months and what is no constant. */
  public static Long millis(RexNode interval) {
    RelDataType type = interval.getType();
    if (!SqlTypeUtil.isInterval(type) || type.getSqlTypeName().isYearMonth()) {
      return null;
    }
    if (interval instanceof RexLiteral literal) {
      BigDecimal value = literal.getValueAs(BigDecimal.class);
      return value == null ? null : value.longValue();
    }
    if (interval instanceof RexCall call && call.isA(SqlKind.MINUS_PREFIX)) {
      Long value = millis(call.getOperands().get(0));
      return value == null ? null : -value;
    }
    if (interval instanceof RexCall call && call.isA(SqlKind.TIMES)) {
      BigDecimal factor = number(call.getOperands().get(0));
      Long value = millis(call.getOperands().get(1));
      if (factor == null) {
        factor = number(call.getOperands().get(1));
        value = millis(call.getOperands().get(0));
      }
      return factor == null || value == null ? null : factor.multiply(BigDecimal.valueOf(value)).longValue();
    }
    return null;
  }

  /** Milliseconds of a window's offset, which standard syntax writes as a TIME and the table function as an interval. */
  public static Long offset(RexNode offset) {
    if (offset instanceof RexLiteral literal && literal.getType().getSqlTypeName() == SqlTypeName.TIME) {
      return literal.getValueAs(Integer.class).longValue();
    }
    return millis(offset);
  }

  /** The value of a constant number; null of anything else. */
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
