package io.rowtime.operator.calls;

import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * An exact sum of floating-point numbers, stored as a few non-overlapping numbers (J. Shewchuk, Adaptive Precision
 * Floating-Point Arithmetic, 1997). A number that is added and subtracted again leaves no trace, so the result depends
 * only on the frame: neither on the order of additions, nor on where a restart continued.
 */
final class ExactNumbers {
  /** NumericValues of at least this size are summed separately, so that the sum of the others cannot overflow. */
  private static final double HUGE = 0x1p960;

  private double[] parts = new double[4];
  private int size;
  private BigDecimal huge = BigDecimal.ZERO;
  private long nans;
  private long infinities;
  private long negativeInfinities;

  void add(double number) {
    change(number, 1);
  }

  void remove(double number) {
    change(number, -1);
  }

  private void change(double number, int sign) {
    if (Math.abs(number) < HUGE) {
      grow(sign * number);
    } else if (number == Double.POSITIVE_INFINITY) {
      infinities += sign;
    } else if (number == Double.NEGATIVE_INFINITY) {
      negativeInfinities += sign;
    } else if (Double.isNaN(number)) {
      nans += sign;
    } else {
      huge = huge.add(new BigDecimal(sign * number));
    }
  }

  private void grow(double number) {
    double x = number;
    int kept = 0;
    for (int i = 0; i < size; i++) {
      double y = parts[i];
      if (Math.abs(x) < Math.abs(y)) {
        double swap = x;
        x = y;
        y = swap;
      }
      double sum = x + y;
      double rest = y - (sum - x);
      if (rest != 0) {
        parts[kept++] = rest;
      }
      x = sum;
    }
    if (kept == parts.length) {
      parts = Arrays.copyOf(parts, kept * 2);
    }
    if (x != 0) {
      parts[kept++] = x;
    }
    size = kept;
  }

  /** Returns the number nearest to the sum. */
  double nearest() {
    if (nans > 0 || infinities > 0 && negativeInfinities > 0) {
      return Double.NaN;
    } else if (infinities > 0) {
      return Double.POSITIVE_INFINITY;
    } else if (negativeInfinities > 0) {
      return Double.NEGATIVE_INFINITY;
    } else if (huge.signum() != 0) {
      BigDecimal sum = huge;
      for (int i = 0; i < size; i++) {
        sum = sum.add(new BigDecimal(parts[i]));
      }
      return sum.doubleValue();
    } else if (size == 0) {
      return 0;
    }
    int left = size;
    double sum = parts[--left];
    double rest = 0;
    while (left > 0) {
      double x = sum;
      double y = parts[--left];
      sum = x + y;
      rest = y - (sum - x);
      if (rest != 0) {
        break;
      }
    }
    // If the sum is halfway between two numbers, the lower parts decide.
    if (left > 0 && (rest < 0 && parts[left - 1] < 0 || rest > 0 && parts[left - 1] > 0)) {
      double y = rest * 2;
      double x = sum + y;
      if (y == x - sum) {
        sum = x;
      }
    }
    return sum;
  }

  /** Returns the number nearest to the remainder of the sum after {@link #nearest}. */
  double rest(double nearest) {
    if (Double.isNaN(nearest) || Double.isInfinite(nearest) || huge.signum() != 0) {
      return 0;
    }
    ExactNumbers left = new ExactNumbers();
    left.parts = Arrays.copyOf(parts, Math.max(4, size));
    left.size = size;
    left.remove(nearest);
    return left.nearest();
  }

  void save(Output to) {
    to.number(size);
    for (int i = 0; i < size; i++) {
      to.fixedLong(Double.doubleToRawLongBits(parts[i]));
    }
    to.bytes(huge.unscaledValue().toByteArray());
    to.number(huge.scale());
    to.number(nans);
    to.number(infinities);
    to.number(negativeInfinities);
  }

  static ExactNumbers load(Input from) {
    ExactNumbers sum = new ExactNumbers();
    sum.size = from.count();
    sum.parts = new double[Math.max(4, sum.size)];
    for (int i = 0; i < sum.size; i++) {
      sum.parts[i] = Double.longBitsToDouble(from.fixedLong());
    }
    sum.huge = new BigDecimal(new java.math.BigInteger(from.bytes()), from.count());
    sum.nans = from.number();
    sum.infinities = from.number();
    sum.negativeInfinities = from.number();
    return sum;
  }
}
