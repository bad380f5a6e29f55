package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.RexConstants;
import io.rowtime.time.LocalClock;
import java.math.BigDecimal;
import java.math.RoundingMode;
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
      case REINTERPRET -> of(args.get(0)).then(null, true);
      case FLOOR -> round(args, ClockStep.Function.FLOOR);
      case CEIL -> round(args, ClockStep.Function.CEIL);
      case TUMBLE -> tumble(args);
      case HOP, SESSION -> of(args.get(0)).then(null, false);
      case PLUS -> plus(call, args);
      case MINUS -> minus(call, args);
      case MINUS_PREFIX -> negate(of(args.get(0)));
      case PLUS_PREFIX -> of(args.get(0));
      case TIMES -> times(args);
      case DIVIDE -> divide(args);
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
      case "TIMESTAMP_TRUNC", "DATETIME_TRUNC", "DATE_TRUNC" -> of(args.get(args.get(0) instanceof RexLiteral ? 1 : 0)).then(null, false);
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
      return to.getPrecision() >= from.getPrecision() ? order : order.then(null, false);
    }
    if (SqlTypeUtil.isTimestamp(from) && SqlTypeUtil.isDate(to)) {
      return order.then(ClockStep.unit(ClockStep.Function.FLOOR, TimeUnit.DAY), false);
    }
    if (SqlTypeUtil.isDate(from) && SqlTypeUtil.isTimestamp(to)) {
      return order;
    }
    if (SqlTypeUtil.isNumeric(from) && SqlTypeUtil.isNumeric(to)) {
      return order.then(null, SqlTypeUtil.isExactNumeric(from) && to.getPrecision() >= from.getPrecision());
    }
    return SqlTypeUtil.equalSansNullability(from, to) ? order : FieldOrder.NONE;
  }

  private FieldOrder round(List<RexNode> args, ClockStep.Function function) {
    FieldOrder order = of(args.get(0));
    if (args.size() == 1) {
      return order.then(null, false);
    }
    TimeUnit unit = unit(args.get(1));
    return order.then(unit == null ? null : ClockStep.unit(function, unit), false);
  }

  private FieldOrder tumble(List<RexNode> args) {
    Long size = RexConstants.millis(args.get(1));
    Long offset = args.size() > 2 ? RexConstants.offset(args.get(2)) : Long.valueOf(0);
    boolean fixed = size != null && size > 0 && offset != null;
    return of(args.get(0)).then(fixed ? ClockStep.window(ClockStep.Function.FLOOR, size, offset) : null, false);
  }

  private FieldOrder plus(RexCall call, List<RexNode> args) {
    FieldOrder left = of(args.get(0));
    FieldOrder right = of(args.get(1));
    if (SqlTypeUtil.isDatetime(call.getType())) {
      return shift(SqlTypeUtil.isDatetime(args.get(0).getType()) ? left : right,
          SqlTypeUtil.isDatetime(args.get(0).getType()) ? args.get(1) : args.get(0), 1);
    }
    return FieldOrder.of(left.monotonicity().plus(right.monotonicity()), left.disorder() + right.disorder());
  }

  private FieldOrder minus(RexCall call, List<RexNode> args) {
    FieldOrder left = of(args.get(0));
    if (SqlTypeUtil.isDatetime(call.getType())) {
      return shift(left, args.get(1), -1);
    }
    FieldOrder right = of(args.get(1));
    return FieldOrder.of(left.monotonicity().plus(right.monotonicity().reverse()), left.disorder() + right.disorder());
  }

  /** The order of a time plus an interval. A constant day-time interval shifts the clock too. */
  private FieldOrder shift(FieldOrder time, RexNode interval, int sign) {
    Long millis = RexConstants.millis(interval);
    if (millis != null) {
      return time.then(ClockStep.shift(sign * millis), true);
    }
    // Months differ in length: the end of January and the end of February may coincide.
    return RexUtil.isConstant(interval) ? time.then(null, false) : FieldOrder.NONE;
  }

  private FieldOrder times(List<RexNode> args) {
    FieldOrder left = of(args.get(0));
    FieldOrder right = of(args.get(1));
    if (left.monotonicity() == Monotonicity.CONSTANT) {
      return scale(right, args.get(0));
    }
    return right.monotonicity() == Monotonicity.CONSTANT ? scale(left, args.get(1)) : FieldOrder.NONE;
  }

  private FieldOrder divide(List<RexNode> args) {
    FieldOrder scaled = of(args.get(1)).monotonicity() == Monotonicity.CONSTANT
        ? scale(of(args.get(0)), args.get(1)) : FieldOrder.NONE;
    // Integer division maps neighboring values to the same result.
    return FieldOrder.of(scaled.monotonicity().unstrict(), scaled.disorder());
  }

  private static FieldOrder scale(FieldOrder order, RexNode factor) {
    BigDecimal value = RexConstants.number(factor);
    if (value == null) {
      return factor.isA(SqlKind.LITERAL) ? FieldOrder.CONSTANT : FieldOrder.NONE;
    }
    return switch (value.signum()) {
      case 0 -> FieldOrder.CONSTANT;
      case 1 -> FieldOrder.of(order.monotonicity(), scaleDisorder(order.disorder(), value));
      default -> FieldOrder.of(order.monotonicity().reverse(), scaleDisorder(order.disorder(), value));
    };
  }

  private static long scaleDisorder(long disorder, BigDecimal factor) {
    return BigDecimal.valueOf(disorder).multiply(factor.abs().max(BigDecimal.ONE)).setScale(0, RoundingMode.CEILING).longValue();
  }

  private static FieldOrder negate(FieldOrder order) {
    return FieldOrder.of(order.monotonicity().reverse(), order.disorder());
  }

  /** Only fields that never start again within the time keep its order: the year, and seconds since the epoch. */
  private FieldOrder extract(List<RexNode> args) {
    TimeUnit unit = unit(args.get(0));
    boolean whole = unit == TimeUnit.YEAR || unit == TimeUnit.EPOCH || unit == TimeUnit.ISOYEAR
        || unit == TimeUnit.DECADE || unit == TimeUnit.CENTURY || unit == TimeUnit.MILLENNIUM;
    return whole ? of(args.get(1)).then(null, false) : FieldOrder.NONE;
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
