package io.rowtime.operator.spec;

import io.rowtime.aggregate.RankFunction;
import java.io.Serializable;
import java.util.List;

/**
 * The parameters of Top-N: of each partition, the rows whose {@code function} is at most {@code limit}, once the partition is
 * complete.
 *
 * <p>{@code watermark} and {@code maxDisorder} are as of {@link OverSpec}; {@code early} is as of {@link GroupSpec}.
 *
 * @param order of the rows of a partition; peers follow one another by {@code time}, then {@code seq}, then all of their columns
 * @param ranks functions whose values come out with a row
 * @param time column with the ROWTIME of a row, a TIMESTAMP
 * @param seq column with the order of arrival, a BIGINT; null if there is none
 * @param closes column with the time, in the watermark's domain, when the row's partition is complete
 */
public record TopNSpec(List<String> partition, List<Order> order, RankFunction function, int limit, List<Rank> ranks, String time,
    @Nullable String watermark, @Nullable String seq, String closes, @Nullable Long maxDisorder, boolean early)
    implements OperatorSpec {
  /** A function whose value is the column {@code name}, a BIGINT. */
  public record Rank(String name, RankFunction function) implements Serializable {}

  public TopNSpec {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative");
    }
  }
}
