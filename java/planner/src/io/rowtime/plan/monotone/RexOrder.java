package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Modulus;
import io.rowtime.plan.clock.RexConstants;
import io.rowtime.time.LocalClock;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Derives the order of an expression from the orders of the columns that it reads. */
public final class RexOrder {
  private static final long DAY = TimeUnit.DAY.multiplier.longValue();
  private static final long SHORTEST_MONTH = 28 * DAY;
  private static final Long SHORTEST_YEAR = 365 * DAY;
  private static final long SHORTEST_ISO_YEAR = 364 * DAY;
  private static final long LONGEST_ISO_YEAR = 371 * DAY;
  private static final int MILLIS_DIGITS = 3;

  private final List<FieldOrder> inputs;

  public RexOrder(List<FieldOrder> inputs) {
    this.inputs = inputs;
  }

  public FieldOrder of(RexNode node) {
    if (node instanceof RexInputRef ref) {
      return inputs.get(ref.getIndex());
    }
    if (RexUtil.isConstant(node)) {
      return FieldOrder.CONSTANT;
    }
    return node instanceof RexCall call ? call(call) : FieldOrder.NONE;
  }

  private FieldOrder call(RexCall call) {
    List<RexNode> args = call.getOperands();
    return switch (call.getKind()) {
      case CAST, SAFE_CAST -> cast(call);
      // The milliseconds or months of an interval.
      case REINTERPRET -> of(args.get(0)).then(Modulus.same(), true);
      case FLOOR -> round(args, ClockStep.Function.FLOOR);
      case CEIL -> round(args, ClockStep.Function.CEIL);
      case TUMBLE -> tumble(args);
      // The table functions and GROUP BY replace them by operators.
      case HOP, SESSION -> of(args.get(0)).then(Modulus.unknown(), false);
      case PLUS -> plus(call, args);
      case MINUS -> minus(call, args);
      case MINUS_PREFIX -> of(args.get(0)).negated();
      case PLUS_PREFIX -> of(args.get(0));
      case TIMES -> times(call, args);
      case DIVIDE -> divide(call, args);
      case EXTRACT -> extract(args);
      default -> namedFunction(call, args);
    };
  }

  private FieldOrder namedFunction(RexCall call, List<RexNode> args) {
    return switch (call.getOperator().getName()) {
      case "DATETIME_PLUS" -> plus(call, args);
      // Until the join is planned, which then determines the order.
      case "$JOIN_ROWTIME" -> args.stream().map(this::of).filter(order -> order.monotonicity().increasing()).findFirst()
          .orElse(FieldOrder.NONE);
      case "FROM_UTC_TIMESTAMP" -> local(args.get(0), args.get(1));
      case "TIMESTAMP_TRUNC", "DATETIME_TRUNC", "DATE_TRUNC" -> truncate(args);
      default -> FieldOrder.NONE;
    };
  }

  private FieldOrder local(RexNode time, RexNode zone) {
    String name = zone instanceof RexLiteral literal ? literal.getValueAs(String.class) : null;
    Optional<LocalClock> clock = name == null ? Optional.empty() : LocalClock.find(name);
    return clock.map(found -> of(time).local(name, found.setBack())).orElse(FieldOrder.NONE);
  }

  private FieldOrder cast(RexCall call) {
    RexNode arg = call.getOperands().get(0);
    RelDataType from = arg.getType();
    RelDataType to = call.getType();
    FieldOrder order = of(arg);
    if (SqlTypeUtil.isTimestamp(from) && SqlTypeUtil.isTimestamp(to)) {
      return to.getPrecision() >= from.getPrecision() ? order : order.then(fraction(to.getPrecision()), false);
    }
    if (SqlTypeUtil.isTimestamp(from) && SqlTypeUtil.isDate(to)) {
      return order.then(ClockStep.unit(ClockStep.Function.FLOOR, TimeUnit.DAY), false);
    }
    if (SqlTypeUtil.isDate(from) && SqlTypeUtil.isTimestamp(to)) {
      return order;
    }
    if (SqlTypeUtil.isNumeric(from) && SqlTypeUtil.isNumeric(to)) {
      boolean strict = SqlTypeUtil.isExactNumeric(from) && to.getPrecision() >= from.getPrecision();
      // Approximate numbers are further apart the larger they are.
      return order.then(SqlTypeUtil.isExactNumeric(to) ? Modulus.windows(1) : Modulus.unknown(), strict);
    }
    return SqlTypeUtil.equalSansNullability(from, to) ? order : FieldOrder.NONE;
  }

  private FieldOrder round(List<RexNode> args, ClockStep.Function function) {
    FieldOrder order = of(args.get(0));
    if (args.size() == 1) {
      return order.then(Modulus.windows(1), false);
    }
    TimeUnit unit = unit(args.get(1));
    ClockStep step = unit == null ? null : ClockStep.unit(function, unit);
    return step == null ? order.then(rounding(unit), false) : order.then(step, false);
  }

  private FieldOrder truncate(List<RexNode> args) {
    boolean unitFirst = args.get(0) instanceof RexLiteral;
    return of(args.get(unitFirst ? 1 : 0)).then(rounding(unit(args.get(unitFirst ? 0 : 1))), false);
  }

  /** Returns the modulus of rounding to a unit that is not a step of the clock. */
  private static Modulus rounding(TimeUnit unit) {
    if (unit == TimeUnit.ISOYEAR) {
      return Modulus.windows(SHORTEST_ISO_YEAR, LONGEST_ISO_YEAR);
    }
    ClockStep step = unit == null ? null : ClockStep.unit(ClockStep.Function.FLOOR, unit);
    boolean fine = unit == TimeUnit.MICROSECOND || unit == TimeUnit.NANOSECOND;
    return step != null ? step.modulus() : fine ? Modulus.same() : Modulus.unknown();
  }

  /** Returns the modulus of rounding down to a number of digits of a second. */
  private static Modulus fraction(int digits) {
    return Modulus.windows(digits >= MILLIS_DIGITS ? 1 : BigDecimal.TEN.pow(MILLIS_DIGITS - digits).longValue());
  }

  private FieldOrder tumble(List<RexNode> args) {
    Long size = RexConstants.millis(args.get(1));
    Long offset = args.size() > 2 ? RexConstants.offset(args.get(2)) : Long.valueOf(0);
    boolean fixed = size != null && size > 0 && offset != null;
    FieldOrder time = of(args.get(0));
    return fixed ? time.then(ClockStep.window(ClockStep.Function.FLOOR, size, offset), false) : time.then(Modulus.unknown(), false);
  }

  private FieldOrder plus(RexCall call, List<RexNode> args) {
    FieldOrder left = of(args.get(0));
    FieldOrder right = of(args.get(1));
    if (SqlTypeUtil.isDatetime(call.getType())) {
      boolean timeFirst = SqlTypeUtil.isDatetime(args.get(0).getType());
      return shift(timeFirst ? left : right, call.getType(), args.get(timeFirst ? 1 : 0), 1);
    }
    return left.plus(right);
  }

  private FieldOrder minus(RexCall call, List<RexNode> args) {
    FieldOrder left = of(args.get(0));
    if (SqlTypeUtil.isDatetime(call.getType())) {
      return shift(left, call.getType(), args.get(1), -1);
    }
    FieldOrder difference = left.plus(of(args.get(1)).negated());
    return SqlTypeUtil.isInterval(call.getType()) && SqlTypeUtil.isDatetime(args.get(0).getType())
        ? difference.then(between(call.getType()), false) : difference;
  }

  /** Returns the modulus of a difference of times as an interval of a type. */
  private static Modulus between(RelDataType interval) {
    TimeUnit unit = interval.getSqlTypeName().getEndUnit();
    return interval.getSqlTypeName().isYearMonth() ? Modulus.count(SHORTEST_MONTH)
        : unit == TimeUnit.SECOND ? Modulus.same() : Modulus.windows(unit.multiplier.longValue());
  }

  /** The order of a time plus an interval. A constant day-time interval shifts the clock too. */
  private static FieldOrder shift(FieldOrder time, RelDataType type, RexNode interval, int sign) {
    Long millis = RexConstants.millis(interval);
    if (millis != null) {
      FieldOrder shifted = time.then(ClockStep.shift(sign * millis), true);
      // A date has no time of day.
      return SqlTypeUtil.isDate(type) && millis % DAY != 0 ? shifted.then(ClockStep.unit(ClockStep.Function.FLOOR, TimeUnit.DAY), false) : shifted;
    }
    boolean months = SqlTypeUtil.isInterval(interval.getType()) && interval.getType().getSqlTypeName().isYearMonth();
    if (!RexUtil.isConstant(interval) || time.monotonicity() == Monotonicity.CONSTANT) {
      return RexUtil.isConstant(interval) ? time : FieldOrder.NONE;
    }
    if (!months) {
      return time.then(Modulus.same(), false);
    }
    // Months differ in length: all the last days of January become the last of February, each with its time of day.
    FieldOrder moved = time.then(Modulus.months(), false);
    return SqlTypeUtil.isDate(type) ? moved : moved.disordered(DAY - 1);
  }

  private FieldOrder times(RexCall call, List<RexNode> args) {
    FieldOrder left = of(args.get(0));
    FieldOrder right = of(args.get(1));
    if (left.monotonicity() == Monotonicity.CONSTANT) {
      return scale(call, right, args.get(0), false);
    }
    return right.monotonicity() == Monotonicity.CONSTANT ? scale(call, left, args.get(1), false) : FieldOrder.NONE;
  }

  private FieldOrder divide(RexCall call, List<RexNode> args) {
    // Integer division maps neighboring values to the same result.
    return of(args.get(1)).monotonicity() == Monotonicity.CONSTANT ? scale(call, of(args.get(0)), args.get(1), true).unstrict()
        : FieldOrder.NONE;
  }

  private static FieldOrder scale(RexCall call, FieldOrder order, RexNode factor, boolean divides) {
    BigDecimal value = RexConstants.number(factor);
    if (value == null) {
      return factor.isA(SqlKind.LITERAL) ? FieldOrder.CONSTANT : FieldOrder.NONE;
    }
    if (value.signum() == 0) {
      // NULL has no effect on an order. An approximate number can be infinite, NaN or below zero.
      return SqlTypeUtil.isApproximateNumeric(call.getType()) && order.monotonicity() != Monotonicity.CONSTANT ? FieldOrder.NONE
          : FieldOrder.CONSTANT;
    }
    Modulus modulus = SqlTypeUtil.isApproximateNumeric(call.getType()) ? Modulus.unknown()
        : divides ? Modulus.divided(value) : Modulus.scaled(value);
    return (value.signum() > 0 ? order : order.negated()).then(modulus, true);
  }

  /** Only fields that never start again within the time keep its order: the year, and seconds since the epoch. */
  private FieldOrder extract(List<RexNode> args) {
    TimeUnit unit = unit(args.get(0));
    Long shortest = unit == TimeUnit.EPOCH ? Long.valueOf(1000) : unit == TimeUnit.ISOYEAR ? Long.valueOf(SHORTEST_ISO_YEAR)
        : unit == TimeUnit.YEAR || unit == TimeUnit.DECADE || unit == TimeUnit.CENTURY || unit == TimeUnit.MILLENNIUM ? SHORTEST_YEAR : null;
    return shortest == null ? FieldOrder.NONE : of(args.get(1)).then(Modulus.count(shortest), false);
  }

  private static TimeUnit unit(RexNode symbol) {
    if (symbol instanceof RexLiteral literal) {
      Object value = literal.getValue();
      if (value instanceof TimeUnitRange range) {
        return range.endUnit == null ? range.startUnit : range.endUnit;
      }
      if (value instanceof TimeUnit unit) {
        return unit;
      }
    }
    return null;
  }
}
