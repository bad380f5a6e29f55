package io.rowtime.operator.spec;

import java.io.Serializable;
import java.time.LocalDate;
import java.time.temporal.ChronoField;

/**
 * Consecutive windows of time, without gaps.
 *
 * @param micros the length of each window in microseconds, or 0 for windows of months
 * @param offset the beginning of one of them, in microseconds since 1970; 0 for windows of months
 * @param months the length of each window in months, one of which begins with the year 0, or, for centuries and millennia, with the
 *     year 1; or 0 for windows of a fixed length
 */
public record TimeWindow(long micros, long offset, int months) implements Serializable {
  private static final long DAY = 86_400_000_000L;
  private static final int CENTURY = 1200;

  public TimeWindow {
    if (micros > 0 == months > 0 || micros < 0 || months < 0) {
      throw new IllegalArgumentException("windows have a length in microseconds or in months");
    }
  }

  /** Returns the beginning of the window that contains a time, in microseconds. */
  public long start(long time) {
    return months > 0 ? month(index(time)) : Math.floorDiv(time - offset, micros) * micros + offset;
  }

  /** Returns the beginning of the next window after a time. */
  public long next(long time) {
    return months > 0 ? month(index(time) + 1) : start(time) + micros;
  }

  private long index(long time) {
    return Math.floorDiv(LocalDate.ofEpochDay(Math.floorDiv(time, DAY)).getLong(ChronoField.PROLEPTIC_MONTH) - first(), months);
  }

  private int first() {
    return months % CENTURY == 0 ? 12 : 0;
  }

  private long month(long index) {
    long month = index * months + first();
    return LocalDate.of(Math.toIntExact(Math.floorDiv(month, 12)), Math.floorMod(month, 12) + 1, 1).toEpochDay() * DAY;
  }
}
