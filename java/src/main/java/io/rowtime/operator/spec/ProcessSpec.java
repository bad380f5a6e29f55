package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.List;

/**
 * The parameters of a function over a table.
 *
 * <p>{@code time}, {@code watermark}, {@code seq}, {@code disordered} and {@code maxDisorder} are as of {@link OverSpec}; a relation
 * has no watermark.
 *
 * @param function its name in SQL
 * @param body where its code is
 * @param partition the columns that rows are partitioned by
 * @param columns the columns that the function sees, those of the partition among them
 * @param arguments the values of its parameters
 * @param rowtime the column with the ROWTIME of the result
 * @param results the columns of the result that the function gives
 * @param clock from the watermark to the bound of {@code time}
 * @param delay how far before the present time the ROWTIME of a row may lie
 * @param stateTtl how long a partition is kept after its latest row or timer; null for ever
 * @param python how the workers of a function in Python are started; null in Java
 */
public record ProcessSpec(String function, Language language, String body, List<String> partition, String time,
    @Nullable String watermark, @Nullable String seq, boolean disordered, @Nullable Long maxDisorder, List<Column> columns,
    List<Argument> arguments, String rowtime, List<Result> results, List<BoundClock.Step> clock, long delay,
    @Nullable Long stateTtl, @Nullable Python python) implements OperatorSpec {

  /** What a function is written in. */
  public enum Language { JAVA, PYTHON }

  /** @param name what the column is called in SQL */
  public record Column(String column, String name) implements Serializable {}

  /** @param value a constant expression of Spark SQL */
  public record Argument(String name, String value) implements Serializable {}

  /** @param type as Spark's DDL writes it */
  public record Result(String column, String type) implements Serializable {}

  /**
   * @param command the program of a worker and its arguments
   * @param path where it finds modules
   * @param setup what it is told first, which only workers read
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
