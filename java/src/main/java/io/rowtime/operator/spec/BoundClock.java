package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.List;

/**
 * The function from the watermark of a query to the bound of an operator's rows: steps that apply from left to right,
 * as in a plan node's {@code clock}. All times are in microseconds.
 */
public record BoundClock(List<ClockStep> steps) implements Serializable {
  private static final long MILLI = 1000;

  public enum Function { SHIFT, FLOOR, CEIL }

  /**
   * @param micros the length of a shift, or of the windows that are rounded to; one of the windows starts at {@code
   *     offset}
   */
  public record ClockStep(Function function, long micros, long offset) implements Serializable {
    private long floor(long time) {
      return Math.floorDiv(time - offset, micros) * micros + offset;
    }

    private long ceil(long time) {
      return floor(time + micros - 1);
    }
  }

  /** Returns the bound of the rows at a watermark. */
  public long at(long watermark) {
    if (watermark == Long.MAX_VALUE) {
      return watermark;
    }
    long time = watermark;
    for (ClockStep step : steps) {
      time = switch (step.function) {
        case SHIFT -> time + step.micros;
        case FLOOR -> step.floor(time);
        case CEIL -> step.ceil(time);
      };
    }
    return time;
  }

  /** Returns the least watermark, in whole milliseconds, at which the bound has reached {@code bound}. */
  public long reaches(long bound) {
    long time = bound;
    for (int i = steps.size() - 1; i >= 0; i--) {
      ClockStep step = steps.get(i);
      time = switch (step.function) {
        case SHIFT -> time - step.micros;
        case FLOOR -> step.ceil(time);
        // It is reached just after the start of the window that contains the bound or ends there.
        case CEIL -> step.ceil(time) - step.micros + MILLI;
      };
    }
    return time;
  }
}
