package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.List;

/**
 * The parameters of a user-defined function over a table.
 *
 * <p>{@code time}, {@code clock}, {@code seq}, {@code disordered} and {@code maxDisorder} are as in {@link
 * OverSpec}; a relation has no clock.
 *
 * @param function the function's name in SQL
 * @param body the location of its code
 * @param partition the columns that rows are partitioned by
 * @param columns the columns that the function reads, including the partition columns
 * @param arguments the values of its parameters
 * @param rowtime the column with the ROWTIME of the result
 * @param results the result columns that the function computes
 * @param delay how far the ROWTIME of a result row may be before the current time
 * @param stateTtl how long state is kept after the latest row or timer of a partition; null if it does not expire
 * @param python the settings for starting workers of a function in Python; null for Java
 */
public record ProcessSpec(String function, Language language, String body, List<String> partition, String time,
    @Nullable String seq, boolean disordered, @Nullable Long maxDisorder, List<Column> columns,
    List<Argument> arguments, String rowtime, List<Result> results, List<BoundClock.ClockStep> clock, long delay,
    @Nullable Long stateTtl, @Nullable Python python) implements OperatorSpec {

  /** The language of a function. */
  public enum Language { JAVA, PYTHON }

  /** @param name the name of the column in SQL */
  public record Column(String column, String name) implements Serializable {}

  /** @param value a constant expression of Spark SQL */
  public record Argument(String name, String value) implements Serializable {}

  /** @param type the type, as Spark's DDL */
  public record Result(String column, String type) implements Serializable {}

  /**
   * @param command the program of a worker and its arguments
   * @param path the search path for modules
   * @param setup the first message to a worker, which only workers read
   */
  public record Python(List<String> command, String path, String setup) implements Serializable {}

  public ProcessSpec {
    if (language == Language.PYTHON && python == null) {
      throw new IllegalArgumentException("a function in Python needs python");
    }
    if (delay < 0 || stateTtl != null && stateTtl <= 0) {
      throw new IllegalArgumentException("delay must not be negative, and stateTtl must be positive");
    }
  }

  public BoundClock boundClock() {
    return new BoundClock(clock);
  }
}
