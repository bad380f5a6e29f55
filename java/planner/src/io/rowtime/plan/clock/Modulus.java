package io.rowtime.plan.clock;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.calcite.avatica.util.TimeUnit;

/**
 * The modulus of continuity of a function that preserves order: the most by which two of its results can differ, given
 * the most by which the arguments differ. A time that goes back by ten minutes can go back by a whole hour once it is
 * rounded to hours.
 *
 * <p>Distances are whole numbers: milliseconds for times, units for numbers, months for intervals of months. {@link
 * #UNLIMITED} is a distance without a known limit.
 */
@FunctionalInterface
public interface Modulus {
  long UNLIMITED = Long.MAX_VALUE;

  /** Equal arguments give equal results, so only a positive distance is asked for. */
  long ofPositive(long distance);

  /** Returns the most by which results differ for arguments that differ by at most {@code distance}. */
  default long of(long distance) {
    return distance == 0 || distance == UNLIMITED ? distance : ofPositive(distance);
  }

  /** Results are as far apart as the arguments: a shift, or a change of sign. */
  static Modulus same() {
    return distance -> distance;
  }

  /** Nothing is known about the results, but that they preserve order. */
  static Modulus unknown() {
    return distance -> UNLIMITED;
  }

  /** Results are rounded to windows of a fixed length. */
  static Modulus windows(long length) {
    return distance -> times(length, quotient(distance, length));
  }

  /** Results are rounded to windows whose length varies. */
  static Modulus windows(long shortest, long longest) {
    return distance -> Math.min(plus(distance, longest - 1), times(longest, quotient(distance, shortest)));
  }

  /** Results count windows, such as years, of at least this length. */
  static Modulus count(long shortest) {
    return distance -> quotient(distance, shortest);
  }

  /** Results are multiples of the arguments, in whole numbers or in fractions. */
  static Modulus scaled(BigDecimal factor) {
    return distance -> whole(BigDecimal.valueOf(distance).multiply(factor.abs()));
  }

  /** Results are fractions of the arguments, in whole numbers or not. */
  static Modulus divided(BigDecimal divisor) {
    return distance -> whole(BigDecimal.valueOf(distance).divide(divisor.abs(), 0, RoundingMode.CEILING));
  }

  /**
   * Times are moved by months. Equally many consecutive months differ in length by up to three days, or four where a
   * century has no leap year; and the day may be moved to the end of a shorter month.
   */
  static Modulus months() {
    return distance -> plus(distance, 4 * TimeUnit.DAY.multiplier.longValue());
  }

  /** Returns a sum; {@link #UNLIMITED} if there is no limit, or if it is too large. */
  static long plus(long one, long other) {
    long sum = one + other;
    return sum < 0 ? UNLIMITED : sum;
  }

  private static long times(long length, long count) {
    return Math.multiplyHigh(length, count) != 0 || length * count < 0 ? UNLIMITED : length * count;
  }

  private static long quotient(long distance, long length) {
    return (distance - 1) / length + 1;
  }

  private static long whole(BigDecimal distance) {
    BigDecimal rounded = distance.setScale(0, RoundingMode.CEILING);
    return rounded.toBigInteger().bitLength() >= Long.SIZE ? UNLIMITED : rounded.longValueExact();
  }
}
