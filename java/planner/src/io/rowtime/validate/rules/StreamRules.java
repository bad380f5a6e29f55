package io.rowtime.validate.rules;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.StoredSql;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.validate.desugar.TableFunctionSyntax;
import io.rowtime.validate.desugar.TemporalTables;
import io.rowtime.validate.desugar.UserTableCalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSnapshot;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;

/**
 * Checks what a query reads as a stream and what as a relation.
 *
 * <p>It works on the syntax tree, so that a diagnostic points at the wrong name in the FROM clause. The validator
 * reports names that are not in the catalog.
 */
public final class StreamRules {
  private final CatalogSnapshot catalog;
  private final List<Diagnostic> diagnostics = new ArrayList<>();
  private final Map<String, SqlNode> common = new HashMap<>();
  /** How the views that have been checked can be read: a view may be read many times, over many levels of others. */
  private final Map<Reading, Found> views;
  /** The same of the queries of WITH. */
  private final Map<Query, Outcome> queries;
  /** Whether tables are read as streams of their changes. */
  private final boolean changes;
  private boolean readsStream;

  /** A query of WITH, and whether it is read as a stream. */
  private record Query(SqlNode query, boolean stream) {}

  /** What cannot be read in a query of WITH, and whether a stream is read below it. */
  private record Outcome(List<Diagnostic> diagnostics, boolean readsStream) {}

  /** A view, and whether it is read as a stream. */
  private record Reading(String view, boolean stream) {}

  /** Whether a view can be read in that way, and whether a stream is then read below it. */
  private record Found(boolean readable, boolean readsStream) {}

  /**
   * An input of a join: whether it can be read as a stream, and if so, whether there is a stream below it, and not only
   * tables.
   */
  private record Input(SqlNode node, boolean canStream, boolean readsStream) {}

  private StreamRules(CatalogSnapshot catalog, Map<Reading, Found> views, Map<Query, Outcome> queries, boolean changes) {
    this.catalog = catalog;
    this.views = views;
    this.queries = queries;
    this.changes = changes;
  }

  /** Returns an error for everything in {@code query} that cannot be read in the way that the query requires. */
  public static List<Diagnostic> check(CatalogSnapshot catalog, SqlNode query, boolean streaming) {
    return check(catalog, query, streaming, false);
  }

  /** Returns an error for everything in a streaming query that cannot be read if all tables are read as streams of their changes. */
  public static List<Diagnostic> checkOfChanges(CatalogSnapshot catalog, SqlNode query) {
    return check(catalog, query, true, true);
  }

  private static List<Diagnostic> check(CatalogSnapshot catalog, SqlNode query, boolean streaming, boolean changes) {
    StreamRules rules = new StreamRules(catalog, new HashMap<>(), new HashMap<>(), changes);
    rules.require(query, streaming);
    return rules.diagnostics;
  }

  /** Returns whether a query, for instance the body of a view, can be read as a stream. */
  public static boolean streamable(CatalogSnapshot catalog, SqlNode query) {
    return check(catalog, query, true).isEmpty();
  }

  private void require(SqlNode node, boolean stream) {
    SqlNode from = below(node);
    if (from instanceof SqlIdentifier id) {
      identifier(id, stream);
    } else if (from instanceof SqlSelect select) {
      select(select, stream);
    } else if (from instanceof SqlJoin join) {
      join(join, stream);
    } else if (from instanceof SqlWith with) {
      withItems(with);
      require(with.body, stream);
    } else if (from instanceof SqlCall call && from.isA(SqlKind.SET_QUERY)) {
      call.getOperandList().forEach(branch -> require(branch, stream));
    } else if (from != null && from.getKind() == SqlKind.VALUES && stream) {
      diagnostics.add(Conversions.values(from.getParserPosition()));
    } else if (from != null && from.getKind() == SqlKind.COLLECTION_TABLE) {
      // SEARCH_KEY and the changelog functions determine how they read their inputs; windowing functions pass it on.
      SqlCall call = ((SqlCall) from).operand(0);
      SqlNode processed = UserTableCalls.processedTable(catalog, call);
      if (processed != null) {
        require(TableFunctionSyntax.source(processed), stream);
      } else if (TableFunctionSyntax.isWindowing(call)) {
        require(TableFunctionSyntax.input(call), stream);
      } else if (TableFunctionSyntax.isSnapshot(call)) {
        snapshot(from, TableFunctionSyntax.input(call), stream);
      } else if (TableFunctionSyntax.isFromChangelog(call)) {
        fromChangelog(from, TableFunctionSyntax.input(call), stream);
      } else if (TableFunctionSyntax.isToChangelog(call)) {
        readsStream |= stream && changes;
      } else if (TableFunctionSyntax.isSearchKey(call) && stream) {
        error("RT0102", from, "Cannot stream the result of SEARCH_KEY: it is looked up once", "leave out STREAM, or join it with a stream");
      }
    } else if (from instanceof SqlSnapshot snapshot) {
      if (TemporalTables.isProctime(snapshot.getPeriod()) || TemporalTables.readsColumns(snapshot.getPeriod())) {
        require(snapshot.getTableRef(), stream);
      } else {
        snapshot(from, snapshot.getTableRef(), stream);
      }
    }
  }

  /** The table of a changelog is read as a stream if its changes are: those of tables are there already. */
  private void fromChangelog(SqlNode place, SqlNode changes, boolean stream) {
    if (!stream) {
      require(changes, false);
      return;
    }
    Input input = input(changes);
    readsStream |= input.readsStream;
    if (!input.readsStream) {
      error("RT0102", place, "Cannot stream FROM_CHANGELOG of a table: its changes are not a stream", "leave out STREAM, or join it with a stream");
    }
  }

  private void snapshot(SqlNode place, SqlNode input, boolean stream) {
    if (stream) {
      error("RT0102", place, "Cannot stream a table as of a time: it does not change", "leave out STREAM, or join it with a stream");
    } else {
      require(input, false);
    }
  }

  private void select(SqlSelect select, boolean stream) {
    if (select.getFrom() != null) {
      require(select.getFrom(), stream);
    } else if (stream) {
      error("RT0104", select, "Cannot stream VALUES", "a row of constants never changes; select it without STREAM");
    }
  }

  private void identifier(SqlIdentifier id, boolean stream) {
    if (common.containsKey(key(id))) {
      Outcome found = with(key(id), stream);
      found.diagnostics.stream().filter(d -> !diagnostics.contains(d)).forEach(diagnostics::add);
      readsStream |= found.readsStream;
      return;
    }
    CatalogObject object = find(id);
    if (object != null && !readable(object, stream)) {
      diagnostics.add(Conversions.notReadable(object, stream, id.getParserPosition()));
    }
  }

  private Outcome with(String name, boolean stream) {
    SqlNode query = common.get(name);
    Outcome found = queries.get(new Query(query, stream));
    if (found == null) {
      StreamRules body = new StreamRules(catalog, views, queries, changes);
      body.common.putAll(common);
      // Inside its own query, the name has the outer meaning.
      body.common.remove(name);
      body.require(query, stream);
      found = new Outcome(body.diagnostics, body.readsStream);
      queries.put(new Query(query, stream), found);
    }
    return found;
  }

  private boolean readable(CatalogObject object, boolean stream) {
    if (object.isView()) {
      Reading reading = new Reading(object.name(), stream);
      Found found = views.get(reading);
      if (found == null) {
        StreamRules body = new StreamRules(catalog, views, new HashMap<>(), changes);
        body.require(StoredSql.query(object), stream);
        found = new Found(body.diagnostics.isEmpty(), body.readsStream);
        views.put(reading, found);
      }
      readsStream |= found.readsStream;
      return found.readable;
    }
    boolean ofChanges = stream && changes && object.isTable();
    readsStream |= stream && object.isStream() || ofChanges;
    return stream ? object.streamable() || ofChanges : object.relational();
  }

  /** A join is streaming if one input is; {@link StreamedInputs} decides which of the others are. */
  private void join(SqlJoin join, boolean stream) {
    if (!stream) {
      require(join.getLeft(), false);
      require(join.getRight(), false);
      return;
    }
    List<SqlNode> leaves = new ArrayList<>();
    leaves(join, leaves);
    List<Input> inputs = leaves.stream().map(this::input).toList();
    if (inputs.stream().noneMatch(Input::canStream)) {
      List<String> names = leaves.stream().map(StreamRules::nameOf).toList();
      error("RT0106", join, "Cannot stream results of a query with no streaming inputs: '" + String.join(", ", names)
          + "'. At least one input should be convertible to a stream", "leave out STREAM, or join a stream");
      return;
    }
    boolean any = inputs.stream().anyMatch(Input::readsStream);
    readsStream |= any;
    for (Input input : inputs) {
      boolean streamed = input.canStream && StreamedInputs.isStreamed(input.readsStream, any);
      if (!streamed && (!isCorrelated(input.node) || asOfOneTime(input.node))) {
        require(input.node, false);
      }
    }
  }

  private Input input(SqlNode leaf) {
    StreamRules probe = new StreamRules(catalog, views, queries, changes);
    probe.common.putAll(common);
    probe.require(leaf, true);
    boolean canStream = probe.diagnostics.isEmpty() && !isCorrelated(leaf);
    return new Input(leaf, canStream, canStream && probe.readsStream);
  }

  private boolean isCorrelated(SqlNode leaf) {
    return switch (leaf.getKind()) {
      case LATERAL, UNNEST, SNAPSHOT -> true;
      case AS -> isCorrelated(((SqlCall) leaf).operand(0));
      case COLLECTION_TABLE -> !TableFunctionSyntax.isWindowing(((SqlCall) leaf).operand(0)) && !TableFunctionSyntax.isFromChangelog(((SqlCall) leaf).operand(0))
          && UserTableCalls.processedTable(catalog, ((SqlCall) leaf).operand(0)) == null;
      default -> false;
    };
  }

  private static boolean asOfOneTime(SqlNode leaf) {
    return switch (leaf.getKind()) {
      case AS, LATERAL -> asOfOneTime(((SqlCall) leaf).operand(0));
      case SNAPSHOT -> !TemporalTables.isProctime(((SqlSnapshot) leaf).getPeriod()) && !TemporalTables.readsColumns(((SqlSnapshot) leaf).getPeriod());
      case COLLECTION_TABLE -> TableFunctionSyntax.isSnapshot(((SqlCall) leaf).operand(0))
          && TableFunctionSyntax.times(((SqlCall) leaf).operand(0)).stream().noneMatch(TemporalTables::readsColumns);
      default -> false;
    };
  }

  private void leaves(SqlNode node, List<SqlNode> leaves) {
    if (node instanceof SqlJoin join) {
      leaves(join.getLeft(), leaves);
      leaves(join.getRight(), leaves);
    } else {
      leaves.add(node);
    }
  }

  private void withItems(SqlWith with) {
    for (SqlNode node : with.withList) {
      SqlWithItem item = (SqlWithItem) node;
      common.put(key(item.name), item.query);
    }
  }

  private CatalogObject find(SqlIdentifier id) {
    CatalogObject object = catalog.find(String.join(".", id.names));
    return object == null || !object.hasRows() ? null : object;
  }

  /** Returns the node below aliases, sorts, windows and wrappers. */
  private static SqlNode below(SqlNode node) {
    if (node == null) {
      return null;
    }
    return switch (node.getKind()) {
      case AS, OVER, LATERAL, EXTEND, TABLE_REF, TABLESAMPLE, EXPLICIT_TABLE, MATCH_RECOGNIZE, PIVOT, UNPIVOT ->
          below(((SqlCall) node).operand(0));
      case ORDER_BY -> below(((SqlOrderBy) node).query);
      default -> node;
    };
  }

  private static String nameOf(SqlNode leaf) {
    SqlNode node = below(leaf);
    if (node instanceof SqlSnapshot snapshot) {
      return nameOf(snapshot.getTableRef());
    }
    return node instanceof SqlIdentifier id ? String.join(".", id.names) : leaf.getKind().lowerName;
  }

  private static String key(SqlIdentifier id) {
    return String.join(".", id.names).toUpperCase(Locale.ROOT);
  }

  private void error(String code, SqlNode place, String message, String hint) {
    diagnostics.add(Diagnostic.error(code, place.getParserPosition(), message, hint));
  }
}
