package io.rowtime.plan.convert;

import io.rowtime.diagnostic.DiagnosticException;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Limits how often the views and WITH queries of a statement are replaced by their queries. One that reads another one
 * twice, which reads another one twice …, doubles the plan at each level.
 */
public final class QueryExpansion {
  private static final int MAX_QUERIES = 1_000;
  private static final int MAX_VIEW_LEVELS = 100;
  /** Other programs write chains of WITH queries, and few of them need a level of the plan. */
  private static final int MAX_LEVELS = 400;

  private int queries;
  private int views;
  private int level;

  /** Counts a view that is read at that place. Throws RT0421 if there are too many of them. */
  public void enterView(SqlParserPos reference) {
    if (views == MAX_VIEW_LEVELS) {
      throw new DiagnosticException("RT0421", reference, "The views of this statement read one another over more than " + MAX_VIEW_LEVELS
          + " levels", "store the rows of a view in a table or a stream");
    }
    enter(reference, "The views of this statement read more than %,d views in all");
    views++;
  }

  public void leaveView() {
    views--;
    level--;
  }

  /** Counts a WITH query that is read at that place. Throws RT0421 or RT0003 if there are too many of them. */
  void enterWith(SqlParserPos reference) {
    enter(reference, "The WITH queries and views of this statement are read more than %,d times in all");
  }

  void leaveWith() {
    level--;
  }

  private void enter(SqlParserPos reference, String message) {
    if (++queries > MAX_QUERIES) {
      throw new DiagnosticException("RT0421", reference, String.format(message, MAX_QUERIES),
          "store the rows of a query that is read often in a table or a stream");
    }
    if (++level > MAX_LEVELS) {
      throw new DiagnosticException("RT0003", reference, "The statement is nested too deeply", "Split it into views");
    }
  }
}
