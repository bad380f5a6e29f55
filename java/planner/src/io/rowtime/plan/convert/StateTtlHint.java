package io.rowtime.plan.convert;

import io.rowtime.catalog.Spelling;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.time.Durations;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlHint;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.Util;

/**
 * The hint {@code STATE_TTL('o' = '1d')} of a SELECT: for how long it keeps a group of the rows of its source, which is given by its name
 * or alias. The groups are those of its GROUP BY; without one, those of its DISTINCT; without either, the partitions of its OVER.
 */
public final class StateTtlHint {
  /** The name of the hint. */
  public static final String NAME = "STATE_TTL";

  private static final String CODE = "RT0217";

  private StateTtlHint() {}

  /**
   * Checks the hints of a statement, before its validation.
   *
   * @throws DiagnosticException if one does not fit its query
   */
  public static void check(SqlNode statement) {
    statement.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlCall call) {
        if (call instanceof SqlSelect select) {
          List<SqlHint> hints = hints(select).toList();
          hints.forEach(hint -> check(hint, select));
          if (hints.size() > 1) {
            throw twice(hints.get(1));
          }
        }
        return super.visit(call);
      }
    });
  }

  /** Returns the duration in milliseconds that the hint of a query names; null if it has none. The hint has been checked. */
  static Long of(SqlSelect select) {
    return hint(select).map(hint -> millis(hint.getOptionKVPairs().values().iterator().next())).orElse(null);
  }

  /** Returns the duration that the hint names for the windows of a query, as {@link #of} does; null if it is for something else. */
  static Long ofWindows(SqlSelect select) {
    return hasGroups(select) ? null : of(select);
  }

  private static boolean hasGroups(SqlSelect select) {
    return select.isDistinct() || select.getGroup() != null && !select.getGroup().isEmpty();
  }

  /** Returns whether a query has a call with OVER, apart from its sub-queries. */
  private static boolean hasWindows(SqlSelect select) {
    boolean[] found = new boolean[1];
    SqlBasicVisitor<Void> calls = new SqlBasicVisitor<>() {
      @Override public Void visit(SqlCall call) {
        found[0] |= call.getKind() == SqlKind.OVER;
        return call.isA(SqlKind.QUERY) ? null : super.visit(call);
      }
    };
    Stream.of(select.getSelectList(), select.getWhere(), select.getQualify()).filter(Objects::nonNull).forEach(clause -> clause.accept(calls));
    return found[0];
  }

  private static Optional<SqlHint> hint(SqlSelect select) {
    return hints(select).findFirst();
  }

  private static Stream<SqlHint> hints(SqlSelect select) {
    return !select.hasHints() ? Stream.empty()
        : select.getHints().stream().map(SqlHint.class::cast).filter(hint -> hint.getName().equalsIgnoreCase(NAME));
  }

  private static void check(SqlHint hint, SqlSelect select) {
    if (hint.getOptionFormat() != SqlHint.HintOptionFormat.KV_LIST) {
      throw error(hint, "STATE_TTL takes the name of a source, and a duration", "for example /*+ STATE_TTL('o' = '1d') */");
    }
    if (select.getFrom() != null && select.getFrom().getKind() == SqlKind.JOIN) {
      throw error(hint, "STATE_TTL does not apply to the inputs of a join", "say in its condition how far the rows are apart, as in AND b.ROWTIME"
          + " BETWEEN a.ROWTIME - INTERVAL '1' DAY AND a.ROWTIME + INTERVAL '1' DAY: its rows are then final; a GROUP BY or ROW_NUMBER above it can"
          + " have the hint in a query around it");
    }
    String source = name(select.getFrom());
    for (Map.Entry<String, String> option : hint.getOptionKVPairs().entrySet()) {
      String named = option.getKey();
      if (source == null || !source.equalsIgnoreCase(named)) {
        throw error(hint, "STATE_TTL names '" + named + "', which is no table or alias of this query",
            source == null ? "give the source an alias, and name that" : Spelling.nearest(named, List.of(source)).isPresent() ? "did you mean '" + source + "'?"
                : "its source is '" + source + "'");
      }
      if (millis(option.getValue()) == null) {
        throw error(hint, "STATE_TTL of '" + named + "' cannot be '" + option.getValue() + "'", "write a number above 0 and a unit, such as '1d', '12h' or '30 min'");
      }
    }
    SqlNodeList namesAndValues = hint.operand(1);
    if (namesAndValues.size() > 2) {
      throw twice(hint);
    }
    if (!hasGroups(select) && !hasWindows(select)) {
      throw error(hint, "STATE_TTL limits for how long the groups of GROUP BY or DISTINCT are kept, or the first rows by ROW_NUMBER, and this query has none of them",
          "leave the hint out, or put it into the query that has one");
    }
  }

  private static DiagnosticException twice(SqlHint hint) {
    String source = hint.getOptionKVPairs().keySet().iterator().next();
    return error(hint, "STATE_TTL names '" + source + "' more than once", "write one duration for it");
  }

  private static DiagnosticException error(SqlHint hint, String message, String remedy) {
    return new DiagnosticException(CODE, hint.getParserPosition(), message, remedy);
  }

  /** Returns the name by which a query knows its source; null if it has none. */
  private static String name(SqlNode source) {
    if (source instanceof SqlIdentifier id) {
      return Util.last(id.names);
    }
    if (source instanceof SqlCall call && call.getKind() == SqlKind.AS) {
      return ((SqlIdentifier) call.operand(1)).getSimple();
    }
    return source instanceof SqlCall call && call.operandCount() > 0
        && List.of(SqlKind.OVER, SqlKind.TABLE_REF, SqlKind.SNAPSHOT, SqlKind.EXTEND).contains(call.getKind()) ? name(call.operand(0)) : null;
  }

  private static Long millis(String text) {
    return Durations.shortMillis(text.trim(), Map.of());
  }
}
