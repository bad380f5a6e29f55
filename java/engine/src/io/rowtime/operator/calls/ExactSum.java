package io.rowtime.operator.calls;

import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Writes an exact sum as a value of the result's type, and throws if the sum is out of range. */
final class ExactSum {
  private final ValueType from;
  private final ValueType to;
  /** Whether only the range must be checked. */
  private final boolean plain;
  private final long limit;

  ExactSum(ValueType from, ValueType to) {
    this.from = from;
    this.to = to;
    this.plain = !to.isObject() && !to.isFloating() && from.scale() == to.scale();
    this.limit = plain && to.isDecimal() ? BigInteger.TEN.pow(to.precision()).longValueExact() : Long.MAX_VALUE;
  }

  void write(long high, long low, Values target, int at) {
    if (plain && high == low >> 63 && (!to.isDecimal() || low < limit && low > -limit)) {
      target.setLong(at, low);
    } else {
      write(BigInteger.valueOf(high).shiftLeft(64).add(unsigned(low)), target, at);
    }
  }

  void write(BigInteger sum, Values target, int at) {
    if (to.isFloating()) {
      target.setLong(at, ValueType.toOrderedLong(new BigDecimal(sum, from.scale()).doubleValue()));
      return;
    }
    BigInteger unscaled = new BigDecimal(sum, from.scale()).setScale(to.scale(), RoundingMode.HALF_UP).unscaledValue();
    boolean fits = to.isDecimal() ? unscaled.abs().compareTo(BigInteger.TEN.pow(to.precision())) < 0
        : unscaled.bitLength() < 64;
    if (!fits) {
      String type = to.isDecimal() ? "DECIMAL(" + to.precision() + ", " + to.scale() + ")" : "BIGINT";
      throw new ArithmeticException("SUM is out of the range of " + type + ": " + new BigDecimal(sum, from.scale()));
    }
    if (to.isObject()) {
      target.setObject(at, unscaled);
    } else {
      target.setLong(at, unscaled.longValue());
    }
  }

  private static BigInteger unsigned(long value) {
    BigInteger number = BigInteger.valueOf(value);
    return value < 0 ? number.add(BigInteger.ONE.shiftLeft(64)) : number;
  }
}
