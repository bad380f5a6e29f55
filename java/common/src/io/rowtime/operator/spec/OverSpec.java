package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of OVER: all windows over one PARTITION BY.
 *
 * @param time the column that orders rows, a TIMESTAMP
 * @param clock the function from the query's watermark to the bound of {@code time}; null if only the rows show the
 *     progress of time
 * @param seq the column that orders rows of the same time, a BIGINT; null for arrival order
 * @param closes the column with the time, in the watermark's domain, at which the row's partition is complete; null if
 *     never
 */
public record OverSpec(List<String> partition, String time, @Nullable List<BoundClock.ClockStep> clock, @Nullable String seq, Arrivals arrivals,
    @Nullable String closes, List<Window> windows) implements OperatorSpec {
  /** Returns the function from the watermark to the bound of {@code time}; null if there is none. */
  public BoundClock boundClock() {
    return clock == null ? null : new BoundClock(clock);
  }
}
