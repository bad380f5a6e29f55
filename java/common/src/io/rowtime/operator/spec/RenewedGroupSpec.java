package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of a GROUP BY whose groups are never complete, but begin anew: a row that is more than {@code ttl} after the one
 * before it in its group finds nothing of what came earlier. The result until then stays.
 *
 * <p>{@code clock} is as in {@link GroupSpec}, and the output is that of {@link UpdatingGroupSpec}.
 *
 * @param closes the column with the time, in the watermark's domain, from which on every row begins the group anew, if none arrives before
 * @param ttl the maximum distance between consecutive rows that belong together
 */
public record RenewedGroupSpec(List<String> keys, String time, List<BoundClock.ClockStep> clock, String closes, Arrivals arrivals,
    long ttl, List<Call> calls) implements GroupingSpec {

  public RenewedGroupSpec {
    if (ttl <= 0) {
      throw new IllegalArgumentException("ttl must be positive");
    }
  }

  @Override public List<String> partition() {
    return keys;
  }

  /** Rows are not combined: the time of each says whether it begins its group anew. */
  @Override public List<Call> combine() {
    return List.of();
  }
}
