package io.rowtime.plan.constant;

import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Finds the constants to which Calcite's own evaluation may give another value than a query that runs; {@code
 * docs/differences.md} lists them. The planner must not compute these: a row of {@code INSERT … VALUES} has the values
 * that the same expressions have in a SELECT.
 */
final class EngineDifferences {
  private static final int MILLISECONDS = 3;
  /** The product of two numbers below this is an INTEGER. */
  private static final BigDecimal SMALL = BigDecimal.valueOf(1 << 15);
  private static final Set<SqlKind> PRODUCTS = EnumSet.of(SqlKind.TIMES, SqlKind.CHECKED_TIMES);
  private static final Set<SqlKind> BOUNDED =
      EnumSet.of(SqlKind.PLUS, SqlKind.CHECKED_PLUS, SqlKind.MINUS, SqlKind.CHECKED_MINUS, SqlKind.TIMES, SqlKind.CHECKED_TIMES);
  private static final BigDecimal SECOND = BigDecimal.valueOf(1_000);
  private static final BigDecimal DAY = BigDecimal.valueOf(86_400_000);
  private static final Set<TimeUnitRange> DECADES = EnumSet.of(TimeUnitRange.DECADE, TimeUnitRange.CENTURY, TimeUnitRange.MILLENNIUM);

  private EngineDifferences() {}

  /** Returns whether the value of a call may differ if its operands are the same. */
  static boolean mayDiffer(RexCall call) {
    RelDataType type = call.getType();
    if (type.isStruct() || SqlTypeUtil.isIntType(type) && mayOverflow(call)) {
      // A ROW whose fields are all NULL is NULL itself for Calcite, which cannot convert NULL to a ROW either.
      return true;
    }
    return switch (call.getKind()) {
      case CAST, SAFE_CAST -> isOtherCast(call.getOperands().get(0).getType(), type);
      case DIVIDE, CHECKED_DIVIDE -> !SqlTypeUtil.isIntType(type);
      case TIMES, CHECKED_TIMES, MOD -> SqlTypeUtil.isDecimal(type);
      case PLUS, MINUS -> SqlTypeUtil.isDatetime(type) && call.getOperands().stream().anyMatch(o -> isTruncated(o, type));
      case CEIL, FLOOR -> type.getSqlTypeName() == SqlTypeName.TIME || call.getOperands().stream().anyMatch(EngineDifferences::isDecades);
      case TIMESTAMP_ADD, TIMESTAMP_DIFF -> true;
      case POSITION -> call.getOperands().size() > 2;
      default -> false;
    };
  }

  /** Returns whether a text has characters beyond the BMP, which Calcite counts twice. */
  static boolean mayDiffer(String text) {
    return text.codePoints().anyMatch(Character::isSupplementaryCodePoint);
  }

  /** Returns whether Calcite's result may be wrapped around. */
  private static boolean mayOverflow(RexCall call) {
    return switch (call.getKind()) {
      case CAST, SAFE_CAST, CASE, COALESCE, NULLIF, EXTRACT, POSITION, CHAR_LENGTH -> false;
      default -> !call.getOperands().stream().allMatch(EngineDifferences::isSmall);
    };
  }

  /** Returns whether a value is so small that the product of two of them is an INTEGER. */
  private static boolean isSmall(RexNode operand) {
    if (operand instanceof RexCall call) {
      return isArithmetic(call) && bound(call).compareTo(SMALL) < 0;
    }
    return operand instanceof RexLiteral literal
        && (!(literal.getValue() instanceof BigDecimal number) || number.abs().compareTo(SMALL) < 0);
  }

  private static boolean isArithmetic(RexNode node) {
    return node instanceof RexCall call
        ? BOUNDED.contains(call.getKind()) && call.getOperands().stream().allMatch(EngineDifferences::isArithmetic)
        : node instanceof RexLiteral literal && literal.getValue() instanceof BigDecimal;
  }

  /** Returns a bound of the absolute value of sums and products of literals. */
  private static BigDecimal bound(RexNode node) {
    if (!(node instanceof RexCall call)) {
      return ((RexLiteral) node).getValueAs(BigDecimal.class).abs();
    }
    Stream<BigDecimal> bounds = call.getOperands().stream().map(EngineDifferences::bound);
    return (PRODUCTS.contains(call.getKind()) ? bounds.reduce(BigDecimal::multiply) : bounds.reduce(BigDecimal::add)).orElseThrow();
  }

  private static boolean isOtherCast(RelDataType from, RelDataType to) {
    if (to.getComponentType() != null || to.getKeyType() != null) {
      // Texts within an array or a map keep their lengths for Calcite.
      return true;
    }
    if (SqlTypeUtil.isApproximateNumeric(from)) {
      return SqlTypeUtil.isExactNumeric(to);
    }
    if (SqlTypeUtil.isCharacter(to)) {
      return SqlTypeUtil.isDatetime(from) || SqlTypeUtil.isDecimal(from);
    }
    if (SqlTypeUtil.isInterval(to)) {
      return SqlTypeUtil.isNumeric(from);
    }
    return SqlTypeUtil.isDatetime(to) && to.getSqlTypeName() != SqlTypeName.DATE && to.getPrecision() < MILLISECONDS
        && (SqlTypeUtil.isCharacter(from) || from.getPrecision() > to.getPrecision());
  }

  /** Returns whether Calcite may truncate an interval before it adds it to a time of this type. */
  private static boolean isTruncated(RexNode operand, RelDataType time) {
    boolean isDate = time.getSqlTypeName() == SqlTypeName.DATE;
    if (!SqlTypeName.DAY_INTERVAL_TYPES.contains(operand.getType().getSqlTypeName())
        || !isDate && time.getPrecision() >= MILLISECONDS) {
      return false;
    }
    return !(operand instanceof RexLiteral literal && !literal.isNull()
        && literal.getValueAs(BigDecimal.class).remainder(isDate ? DAY : SECOND).signum() == 0);
  }

  private static boolean isDecades(RexNode operand) {
    return operand instanceof RexLiteral literal && literal.getValue() instanceof TimeUnitRange unit && DECADES.contains(unit);
  }
}
