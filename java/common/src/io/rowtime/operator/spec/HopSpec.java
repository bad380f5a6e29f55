package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of GROUP BY HOP: windows that start every {@code slide}, one of them at {@code offset}.
 *
 * <p>{@code clock} and {@code combine} are as in {@link GroupSpec}.
 *
 * @param keys the columns that rows are grouped by besides the window
 * @param time the column with a row's time; rows without one are in no window
 */
public record HopSpec(List<String> keys, String time, Arrivals arrivals, long slide, long size, long offset, List<BoundClock.ClockStep> clock, List<Call> calls, List<Call> combine)
    implements GroupingSpec {

  public HopSpec {
    if (slide <= 0 || size <= 0) {
      throw new IllegalArgumentException("slide and size must be positive");
    }
  }

  public BoundClock boundClock() {
    return new BoundClock(clock);
  }

  @Override public List<String> partition() {
    return keys;
  }
}
