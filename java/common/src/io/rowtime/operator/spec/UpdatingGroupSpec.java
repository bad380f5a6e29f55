package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of a GROUP BY whose groups are never complete. Whenever rows of a group arrive, its earlier result is retracted
 * and the new one is emitted.
 *
 * @param keys the columns that rows are grouped by
 * @param change the column with how often a row is added (above 0) or retracted (below 0), a BIGINT; null if rows are only added
 * @param combine as in {@link GroupSpec}; empty if rows can be retracted
 */
public record UpdatingGroupSpec(List<String> keys, @Nullable String change, List<Call> calls, List<Call> combine) implements OperatorSpec {
  /** The name of the output column with 1 for a new result and -1 for one that is retracted, a BIGINT. */
  public static final String CHANGE = "rowtime_change";
}
