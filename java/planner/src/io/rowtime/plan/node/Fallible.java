package io.rowtime.plan.node;

import java.util.List;

/**
 * What in a streaming projection or filter can fail for the values of a row, such as a division by zero.
 *
 * @param expressions the numbers of the expressions that can fail; a filter has only number 0
 * @param nulls those of others that can fail, and are NULL for a row for which they do
 * @param onError what becomes of a row for which one of the {@code expressions} fails
 * @param source the stream whose rows are computed; null if they come from an operator over several rows
 */
public record Fallible(List<Integer> expressions, List<Integer> nulls, OnError onError, String source) {
  public static final Fallible NOTHING = new Fallible(List.of(), List.of(), OnError.FAIL, null);

  /** What becomes of a row that has no result: the query fails, or the row is set aside. NULL is what a query asks for: the
   * value is NULL, or where it cannot be, the row is set aside. */
  public enum OnError { FAIL, SKIP, NULL }

  public boolean isNothing() {
    return expressions.isEmpty() && nulls.isEmpty();
  }
}
