package io.rowtime.operator.spec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowtime.time.LocalClock;
import java.io.Serializable;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The function from the watermark of a query to the bound of an operator's rows: steps that apply from left to right,
 * as in a plan node's {@code clock}. All times are in microseconds.
 *
 * <p>A bound stands still where a step rounds. What rows prove is therefore not the same as what the watermark does: a
 * row of 10:17 below a clock by the hour proves nothing about 11:00, though only the watermark of 11:00 brings the
 * bound to 10:17.
 */
public record BoundClock(List<ClockStep> steps) implements Serializable {
  /** How far Spark's watermark is ahead of rowtime, in microseconds: Spark's begins at 0, rowtime with the year 1. */
  public static final long ORIGIN = 62_135_596_800_000_000L;

  private static final long MILLI = 1000;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, Integer> MONTHS =
      Map.of("MONTH", 1, "QUARTER", 3, "YEAR", 12, "DECADE", 120, "CENTURY", 1200, "MILLENNIUM", 12_000);
  /** ROWTIME is in the years 1 to 9999. */
  private static final long FIRST = -ORIGIN;
  private static final long LAST = LocalDate.of(10_000, 1, 1).toEpochDay() * 86_400_000_000L - MILLI;

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
      return months == 0 ? Math.floorDiv(time - offset, micros) * micros + offset : new TimeWindow(micros, offset, months).start(time);
    }

    private long ceil(long time) {
      if (months == 0) {
        return offset - Math.floorDiv(offset - time, micros) * micros;
      }
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

  /**
   * Reads the clock of a node as the plan has it: in milliseconds, from the bound of the sources.
   *
   * @throws InvalidSpecException if the planner writes no such clock
   */
  public static BoundClock read(String clock) {
    List<ClockStep> steps = new ArrayList<>();
    try {
      for (JsonNode step : JSON.readTree(clock)) {
        int months = step.hasNonNull("unit") ? MONTHS.get(step.get("unit").textValue()) : 0;
        steps.add(new ClockStep(Function.valueOf(step.get("fn").textValue()), step.path("millis").longValue() * MILLI,
            step.path("offset").longValue() * MILLI, months, step.path("zone").textValue()));
      }
    } catch (JsonProcessingException | IllegalArgumentException | NullPointerException e) {
      throw new InvalidSpecException("clock", "it is " + clock);
    }
    return new BoundClock(steps);
  }

  /** Returns the clock from Spark's watermark, given that from the bound of the sources. */
  public BoundClock fromWatermark() {
    List<ClockStep> all = new ArrayList<>(List.of(ClockStep.of(Function.SHIFT, -ORIGIN, 0)));
    all.addAll(steps);
    return new BoundClock(all);
  }

  /** Returns the bound of the rows at a bound of the sources, among the times that ROWTIME can have; both in milliseconds since 1970. */
  public long forward(long millis) {
    return Math.floorDiv(Math.min(Math.max(at(Math.min(Math.max(millis * MILLI, FIRST), LAST)), FIRST), LAST), MILLI);
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
