package io.rowtime.validate.rules;

import io.rowtime.catalog.Spelling;
import io.rowtime.diagnostic.Diagnostic;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlHint;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlTableRef;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/** Warns of hints that have no effect: unknown ones, and those that apply to a whole query in a part of it. */
public final class UnusedHints {
  /** The hint of a SELECT with groups or partitions. All others are of whole queries. */
  private static final String OF_GROUPS = "STATE_TTL";
  private static final List<String> ALL = List.of("FROM_EARLIEST", "ON_ERROR", "PARTITIONS", OF_GROUPS);

  /** The hint in the query that a pump stores, which nobody writes. */
  private static final String STORED = "REALTIME";

  private UnusedHints() {}

  /** Returns the SELECT whose hints apply to a whole query; null if the query has none, as VALUES. */
  public static SqlSelect outermost(SqlNode query) {
    if (query instanceof SqlSelect select) {
      return select;
    }
    if (query instanceof SqlOrderBy orderBy) {
      return outermost(orderBy.query);
    }
    if (query instanceof SqlWith with) {
      return outermost(with.body);
    }
    return query instanceof SqlCall call && call.isA(SqlKind.SET_QUERY) ? outermost(call.operand(0)) : null;
  }

  /** Returns a warning for each such hint of a query, before it is rewritten. */
  public static List<Diagnostic> warnings(SqlNode query) {
    return warnings(query, outermost(query), "write it in the outermost SELECT");
  }

  /** Returns those of the body of a view, which is a part of the queries that read it. */
  public static List<Diagnostic> ofView(SqlNode body) {
    return warnings(body, null, "write it in the queries that read the view");
  }

  private static List<Diagnostic> warnings(SqlNode query, SqlSelect top, String wayOut) {
    List<Diagnostic> found = new ArrayList<>();
    query.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlCall call) {
        if (call instanceof SqlSelect select && select.hasHints()) {
          select.getHints().forEach(hint -> check((SqlHint) hint, select == top));
        } else if (call instanceof SqlTableRef && call.operandCount() > 1) {
          ((SqlNodeList) call.operand(1)).forEach(hint -> found.add(ofTable((SqlHint) hint)));
        }
        return super.visit(call);
      }

      private void check(SqlHint hint, boolean ofQuery) {
        String name = hint.getName().toUpperCase(Locale.ROOT);
        if (name.equals(STORED) && ofQuery) {
          return;
        }
        if (!ALL.contains(name)) {
          found.add(warning(hint, "Hint " + name + " is unknown, and has no effect", Spelling.nearest(name, ALL).map(near -> "did you mean " + near + "?")
              .orElse(name.equals("LOOKUP") ? "SEARCH_KEY takes the options of a lookup as arguments" : "hints are " + String.join(", ", ALL))));
        } else if (!name.equals(OF_GROUPS) && !ofQuery) {
          found.add(warning(hint, "Hint " + name + " applies to a whole query, and has no effect in a part of one", wayOut));
        }
      }
    });
    return found;
  }

  private static Diagnostic ofTable(SqlHint hint) {
    return warning(hint, "Hint " + hint.getName().toUpperCase(Locale.ROOT) + " of a table has no effect", "hints follow the word SELECT, and are "
        + String.join(", ", ALL));
  }

  private static Diagnostic warning(SqlHint hint, String message, String wayOut) {
    return Diagnostic.warning("RT0255", hint.getParserPosition(), message, wayOut);
  }
}
