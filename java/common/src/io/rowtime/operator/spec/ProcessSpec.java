package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.List;

/**
 * The parameters of a user-defined function over a table. The code of a function in Python comes from the process that runs the query.
 *
 * <p>{@code time}, {@code clock} and {@code seq} are as in {@link OverSpec}; the clock of a relation is empty.
 *
 * @param function the function's name in SQL
 * @param body the location of its code
 * @param partition the columns that rows are partitioned by
 * @param columns the columns that the function reads, including the partition columns
 * @param parameters the names of its parameters
 * @param results the result columns that the function computes
 * @param delay how far the ROWTIME of a result row may be before the current time
 * @param stateTtl how long state is kept after the latest row or timer of a partition; null if it does not expire
 * @param arrivals how rows arrive; null for a relation
 */
public record ProcessSpec(String function, Language language, String body, List<String> partition, String time,
    @Nullable String seq, List<Column> columns, List<String> parameters, List<Result> results,
    List<BoundClock.ClockStep> clock, long delay, @Nullable Long stateTtl, @Nullable Arrivals arrivals) implements OperatorSpec {

  /** The language of a function. */
  public enum Language { JAVA, PYTHON }

  /** @param name the name of the column in SQL */
  public record Column(String column, String name) implements Serializable {}

  /**
   * @param name the name of the column in SQL
   * @param type its type in SQL
   * @param sparkType its type as Spark's DDL
   */
  public record Result(String name, String type, String sparkType) implements Serializable {}

  /** Returns whether the rows are those of a relation. */
  public boolean isRelational() {
    return arrivals == null;
  }

  public ProcessSpec {
    if (delay < 0 || stateTtl != null && stateTtl <= 0) {
      throw new IllegalArgumentException("delay must not be negative, and stateTtl must be positive");
    }
  }
}
