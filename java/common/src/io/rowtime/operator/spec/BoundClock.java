package io.rowtime.operator.spec;

import io.rowtime.time.LocalClock;
import java.io.Serializable;
import java.util.List;

/**
 * The function from the watermark of a query to the bound of an operator's rows: steps that apply from left to right,
 * as in a plan node's {@code clock}. All times are in microseconds.
 *
 * <p>A bound stands still where a step rounds. What rows prove is therefore not the same as what the watermark does: a
 * row of 10:17 below a clock by the hour proves nothing about 11:00, though only the watermark of 11:00 brings the
 * bound to 10:17.
 */
public record BoundClock(List<ClockStep> steps) implements Serializable {
  private static final long MILLI = 1000;

  /** The effect of a step. LOCAL is the local time of a zone. */
  public enum Function { SHIFT, FLOOR, CEIL, LOCAL }

  /**
   * @param micros the length of a shift, or of the windows that are rounded to; one of the windows starts at {@code
   *     offset}
   * @param months the length of windows of months, or 0
   * @param zone the zone of LOCAL; null for other steps
   */
  public record ClockStep(Function function, long micros, long offset, int months, @Nullable String zone) implements Serializable {
    public ClockStep {
      boolean rounds = function == Function.FLOOR || function == Function.CEIL;
      if (rounds ? micros > 0 == months > 0 || micros < 0 : months != 0 || (zone == null) == (function == Function.LOCAL)) {
        throw new IllegalArgumentException("windows have a length in microseconds or in months, and only LOCAL a zone");
      }
    }

    /** Returns a shift, or a step that rounds to windows of a fixed length. */
    public static ClockStep of(Function function, long micros, long offset) {
      return new ClockStep(function, micros, offset, 0, null);
    }

    private long floor(long time) {
      return new TimeWindow(micros, offset, months).start(time);
    }

    private long ceil(long time) {
      TimeWindow window = new TimeWindow(micros, offset, months);
      long start = window.start(time);
      return start == time ? start : window.next(time);
    }

    private long at(long time) {
      return switch (function) {
        case SHIFT -> time + micros;
        case FLOOR -> floor(time);
        case CEIL -> ceil(time);
        case LOCAL -> LocalClock.of(zone).at(time);
      };
    }

    private long reaches(long time) {
      return switch (function) {
        case SHIFT -> time - micros;
        case FLOOR -> ceil(time);
        // It is reached just after the start of the window that contains the bound or ends there.
        case CEIL -> floor(time - 1) + MILLI;
        case LOCAL -> LocalClock.of(zone).reaches(time);
      };
    }
  }

  /** Returns the bound of the rows at a watermark. */
  public long at(long watermark) {
    if (watermark == Long.MAX_VALUE) {
      return watermark;
    }
    long time = watermark;
    for (ClockStep step : steps) {
      time = step.at(time);
    }
    return time;
  }

  /** Returns the least watermark, in whole milliseconds, at which the bound has reached {@code bound}. */
  public long reaches(long bound) {
    long time = bound;
    for (int i = steps.size() - 1; i >= 0; i--) {
      time = steps.get(i).reaches(time);
    }
    return time;
  }

  /** Returns the last watermark, in whole milliseconds, at which the bound is not past {@code bound}. */
  public long last(long bound) {
    return reaches(bound + MILLI) - MILLI;
  }

  /** Returns the watermark at which the bound is {@code later} past the one at {@code watermark}. */
  public long later(long watermark, long later) {
    return later == 0 ? watermark : Math.max(watermark, reaches(at(watermark) + later));
  }
}
