package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of GROUP BY SESSION.
 *
 * <p>{@code clock} is as in {@link GroupSpec}.
 *
 * @param keys the columns that rows are grouped by besides the session
 * @param closes the column with the time, in the watermark's domain, at which the session ends if no further row
 *     arrives
 * @param gap the maximum distance between consecutive rows of a session
 */
public record SessionSpec(List<String> keys, String time, List<BoundClock.ClockStep> clock, String closes, Arrivals arrivals,
    long gap, List<Call> calls) implements GroupingSpec {

  public SessionSpec {
    if (gap <= 0) {
      throw new IllegalArgumentException("gap must be positive");
    }
  }

  @Override public List<String> partition() {
    return keys;
  }

  /** Rows of a session are not combined: all of them are needed to determine the session. */
  @Override public List<Call> combine() {
    return List.of();
  }
}
