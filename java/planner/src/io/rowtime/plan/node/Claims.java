package io.rowtime.plan.node;

import io.rowtime.plan.clock.ClockStep;
import java.util.List;

/** What is claimed of a node's rows, so that it can be checked while a query runs. */
public final class Claims {
  private Claims() {}

  /** No value of a column is before the bound of the sources, mapped by {@code clock}. */
  public record Bound(int index, List<ClockStep> clock) {}

  /** A column is monotonic, but for values that are behind by {@code disorder} at most (milliseconds for a time). */
  public record Ordered(int index, long disorder) {}

  /** At most {@code rows} rows have the same values in the columns. */
  public record Unique(long rows, List<Integer> columns) {}
}
