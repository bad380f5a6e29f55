package io.rowtime.plan.convert;

import io.rowtime.diagnostic.DiagnosticException;
import org.apache.calcite.sql.SqlNode;

/**
 * Counts what a statement becomes. COALESCE, NULLIF and their like repeat their arguments, so that a short text nested
 * thirty times may stand for a thousand million calls.
 */
final class ExpansionLimit {
  private static final int MOST_CALLS = 200_000;

  private int calls;

  /** Another call is converted. Raises RT0421 if it is one too many, or where nobody waits for the plan any more. */
  void call(SqlNode call) {
    if (++calls > MOST_CALLS || Thread.currentThread().isInterrupted()) {
      throw new DiagnosticException("RT0421", call.getParserPosition(),
          String.format("The expressions of this statement expand to more than %,d calls", MOST_CALLS),
          "compute nested or repeated expressions in a sub-query");
    }
  }
}
