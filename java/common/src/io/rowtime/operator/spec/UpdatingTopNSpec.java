package io.rowtime.operator.spec;

import io.rowtime.aggregate.RankFunction;
import java.util.List;

/**
 * The parameters of a Top-N whose partitions are never complete: the rows whose {@code function} is at most {@code limit}. Whenever
 * these change, rows that are no longer among them are retracted, and those that have come in are added.
 *
 * @param columns the columns of a row
 * @param order the order of the rows of a partition; peers are ordered by {@code time}, then by all columns
 * @param ranks the rank functions whose values are added to a row
 * @param time the column with the ROWTIME of a row, a TIMESTAMP; null if there is none
 * @param change as in {@link UpdatingGroupSpec}
 */
public record UpdatingTopNSpec(List<String> columns, List<String> partition, List<Order> order, RankFunction function, int limit,
    List<TopNSpec.Rank> ranks, @Nullable String time, @Nullable String change) implements OperatorSpec {
  public UpdatingTopNSpec {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative");
    }
  }
}
