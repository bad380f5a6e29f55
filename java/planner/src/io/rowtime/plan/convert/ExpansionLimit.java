package io.rowtime.plan.convert;

import io.rowtime.diagnostic.DiagnosticException;
import org.apache.calcite.sql.SqlNode;

/**
 * Limits the number of calls that a statement may expand to. COALESCE, NULLIF and similar functions repeat their
 * arguments, so a short text with thirty levels of nesting could expand to a billion calls.
 */
final class ExpansionLimit {
  private static final int MAX_CALLS = 200_000;

  private int calls;

  /** Counts one more converted call. Throws RT0421 if the limit is exceeded, or if the request was cancelled. */
  void call(SqlNode call) {
    if (++calls > MAX_CALLS || Thread.currentThread().isInterrupted()) {
      throw new DiagnosticException("RT0421", call.getParserPosition(),
          String.format("The expressions of this statement expand to more than %,d calls", MAX_CALLS),
          "compute nested or repeated expressions in a sub-query");
    }
  }
}
