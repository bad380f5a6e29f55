package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.List;

/**
 * What the planner claims of the rows of a plan node. Claims about several micro-batches are of streams only.
 *
 * @param query identifies the query; the same after a restart
 * @param checkpoint Spark's folder for the checkpoint of the query, whose offsets contain the watermarks; null for a
 *     relation
 * @param node describes the node in messages
 * @param rowtime the column with the ROWTIME of the result, which is not before a bound that the query has announced; null
 *     if these are not the rows of the result
 * @param columns the columns that claims are about, and what they are called in SQL
 * @param required the columns in which no value is NULL
 * @param limits what must be later than the watermark of each earlier micro-batch
 * @param unique which rows are unique
 * @param constants what has one value in all rows that are equal in other columns
 */
public record ClaimsSpec(String query, @Nullable String checkpoint, String node, @Nullable String rowtime, List<ClaimedColumn> columns,
    List<String> required, List<WatermarkLimit> limits, List<ClaimedOrder> orders, List<UniqueRows> unique,
    List<ConstantValue> constants) implements OperatorSpec {

  /** A column, and its name in SQL. */
  public record ClaimedColumn(String column, String name) implements Serializable {}

  /**
   * A TIMESTAMP in the watermark's domain that is later than the watermarks of all earlier micro-batches.
   *
   * @param claim what it means for the row otherwise, for messages
   */
  public record WatermarkLimit(String column, String claim) implements Serializable {}

  /**
   * The order of a column from one micro-batch to the next.
   *
   * @param strict whether a value of an earlier micro-batch does not occur again
   * @param disorder by how much a value may be behind those of earlier micro-batches: microseconds for a time
   */
  public record ClaimedOrder(String column, boolean decreasing, boolean strict, long disorder) implements Serializable {}

  /**
   * A column, or one of the limits, has one value in all rows that are equal in the columns {@code of}.
   *
   * @param name what it is called in messages
   */
  public record ConstantValue(String column, String name, List<String> of) implements Serializable {}

  /** At most {@code rows} rows have the same values in the columns. */
  public record UniqueRows(List<String> columns, long rows) implements Serializable {}
}
