package io.rowtime.operator.spec;

import io.rowtime.aggregate.RankFunction;
import java.io.Serializable;
import java.util.List;

/**
 * The parameters of Top-N, which emits the rows of a partition whose {@code function} is at most {@code limit}, when
 * the partition is complete.
 *
 * <p>{@code clock} is as in {@link OverSpec}.
 *
 * @param order the order of the rows of a partition; peers are ordered by {@code time}, then {@code seq}, then all of
 *     their columns
 * @param ranks the rank functions whose values are added to a row
 * @param time the column with the ROWTIME of a row, a TIMESTAMP
 * @param seq the column with the arrival order, a BIGINT; null if there is none
 * @param closes the column with the time, in the watermark's domain, at which the row's partition is complete
 */
public record TopNSpec(List<String> partition, List<Order> order, RankFunction function, int limit, List<Rank> ranks, String time,
    List<BoundClock.ClockStep> clock, @Nullable String seq, String closes, Arrivals arrivals)
    implements OperatorSpec {
  /** A rank function whose value is the column {@code name}, a BIGINT. */
  public record Rank(String name, RankFunction function) implements Serializable {}

  public TopNSpec {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative");
    }
  }
}
