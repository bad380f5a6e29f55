package io.rowtime.statement;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.node.Fallible.OnError;
import io.rowtime.validate.rules.UnusedHints;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlHint;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Hints for the runtime on the top-most SELECT, such as {@code SELECT /*+ FROM_EARLIEST, PARTITIONS(4) *}{@code / STREAM …}. */
final class QueryHints {
  private static final String FROM_EARLIEST = "FROM_EARLIEST";

  private final List<SqlHint> hints;
  private final SqlSelect select;

  private QueryHints(List<SqlHint> hints, SqlSelect select) {
    this.hints = hints;
    this.select = select;
  }

  /** Reads the hints. Must be called before the query is planned, because planning rewrites it. */
  static QueryHints of(SqlNode query) {
    SqlSelect select = UnusedHints.outermost(query);
    List<SqlHint> hints = new ArrayList<>();
    if (select != null && select.hasHints()) {
      for (SqlNode hint : select.getHints()) {
        hints.add((SqlHint) hint);
      }
    }
    return new QueryHints(hints, select);
  }

  /** Returns the position of the PARTITIONS hint, or null if there is none. */
  SqlParserPos partitionsPlace() {
    return hints.stream().filter(hint -> PartitionCount.of(hint).isPresent()).map(SqlNode::getParserPosition)
        .findFirst().orElse(null);
  }

  /** Returns the position of the ON_ERROR hint, or null if there is none. */
  SqlParserPos onErrorPlace() {
    return hints.stream().filter(ErrorHandling::isHint).map(SqlNode::getParserPosition).findFirst().orElse(null);
  }

  /** Returns what the query asks for if the values of a row have no result. */
  OnError onError() {
    return hints.stream().flatMap(hint -> ErrorHandling.of(hint).stream()).findFirst().orElse(OnError.FAIL);
  }

  /** Returns the REALTIME hint, or null if there is none. */
  SqlHint realTime() {
    return hints.stream().filter(RealTime::isHint).findFirst().orElse(null);
  }

  /** Adds a hint to the query itself. A query without SELECT computes nothing. */
  void add(SqlHint hint) {
    if (select != null) {
      List<SqlNode> all = new ArrayList<>(hints);
      all.add(hint);
      select.setHints(new SqlNodeList(all, SqlParserPos.ZERO));
    }
  }

  /**
   * Adds the hints to the result of the query.
   *
   * @throws DiagnosticException if a hint does not fit the query
   */
  void tell(PlanResult outcome, boolean streaming) {
    for (SqlHint hint : hints) {
      if (hint.getName().equalsIgnoreCase(FROM_EARLIEST)) {
        outcome.fromEarliest();
      }
      PartitionCount.of(hint).ifPresent(count -> {
        if (!streaming) {
          throw new DiagnosticException("RT0625", hint.getParserPosition(),
              "PARTITIONS applies only to a streaming query",
              "leave it out");
        }
        outcome.partitions(count);
      });
      if (ErrorHandling.isHint(hint) && !streaming) {
        throw new DiagnosticException("RT0343", hint.getParserPosition(), "ON_ERROR applies only to a streaming query",
            "SAFE_CAST, NULLIF and the SAFE_ functions return NULL instead of an error");
      }
    }
  }
}
