package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of GROUP BY HOP: windows that start every {@code slide}, one of them at {@code offset}.
 *
 * <p>{@code time}, {@code clock}, {@code disordered} and {@code maxDisorder} are as in {@link OverSpec}; {@code
 * early} and {@code combine} are as in {@link GroupSpec}.
 *
 * @param keys the columns that rows are grouped by besides the window
 */
public record HopSpec(List<String> keys, String time, boolean disordered, @Nullable Long maxDisorder,
    boolean early, long slide, long size, long offset, List<BoundClock.ClockStep> clock, List<Call> calls, List<Call> combine)
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
