package io.rowtime.operator.spec;

import io.rowtime.aggregate.RankFunction;
import java.util.List;

/**
 * The parameters of a Top-N whose partitions are never complete, but begin anew: a row that is more than {@code ttl} after the one before
 * it in its partition finds nothing of what came earlier. The first rows until then stay.
 *
 * <p>{@code columns}, {@code partition}, {@code order}, {@code function}, {@code limit}, {@code ranks} and the output are as in
 * {@link UpdatingTopNSpec}, {@code clock} as in {@link GroupSpec}.
 *
 * @param time the column with the ROWTIME of a row, a TIMESTAMP
 * @param closes the column with the time, in the watermark's domain, from which on every row begins the partition anew, if none arrives
 *     before
 * @param ttl the maximum distance between consecutive rows that belong together, in microseconds
 */
public record RenewedTopNSpec(List<String> columns, List<String> partition, List<Order> order, RankFunction function, int limit,
    List<TopNSpec.Rank> ranks, String time, List<BoundClock.ClockStep> clock, String closes, Arrivals arrivals, long ttl) implements OperatorSpec {
  public RenewedTopNSpec {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative");
    }
    if (ttl <= 0) {
      throw new IllegalArgumentException("ttl must be positive");
    }
  }
}
