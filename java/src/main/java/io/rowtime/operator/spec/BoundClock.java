package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.List;

/**
 * How the bound of an operator's rows follows from the watermark of its query: steps that apply from left to right, as a plan
 * node's {@code clock} lists them. All in microseconds.
 */
public record BoundClock(List<Step> steps) implements Serializable {
  private static final long MILLI = 1000;

  public enum Function { SHIFT, FLOOR, CEIL }

  /** @param micros how far a shift goes, or how long the windows are that are rounded to; one of them begins at {@code offset} */
  public record Step(Function function, long micros, long offset) implements Serializable {
    private long floor(long time) {
      return Math.floorDiv(time - offset, micros) * micros + offset;
    }

    private long ceil(long time) {
      return floor(time + micros - 1);
    }
  }

  /** The bound of the rows at a watermark. */
  public long at(long watermark) {
    if (watermark == Long.MAX_VALUE) {
      return watermark;
    }
    long time = watermark;
    for (Step step : steps) {
      time = switch (step.function) {
        case SHIFT -> time + step.micros;
        case FLOOR -> step.floor(time);
        case CEIL -> step.ceil(time);
      };
    }
    return time;
  }

  /** The least watermark, of those in whole milliseconds, at which the bound has reached {@code bound}. */
  public long reaches(long bound) {
    long time = bound;
    for (int i = steps.size() - 1; i >= 0; i--) {
      Step step = steps.get(i);
      time = switch (step.function) {
        case SHIFT -> time - step.micros;
        case FLOOR -> step.ceil(time);
        // As soon as it is past the beginning of the window that the bound ends or lies in.
        case CEIL -> step.ceil(time) - step.micros + MILLI;
      };
    }
    return time;
  }
}
