package io.rowtime.plan.rewrite;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.catalog.Connector;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.SearchKeyJoin;
import io.rowtime.validate.function.RowtimeOperators;
import io.rowtime.validate.function.SearchKeyOptions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Replaces {@code SEARCH_KEY(input, on_key, lookup, options)}. A foreign table becomes a {@link SearchKeyJoin}. One of
 * rowtime's own tables becomes a join by key with its current version: queries keep the table in memory, and look
 * nothing up.
 */
final class SearchKeys {
  private final SqlParserPos place;

  private SearchKeys(SqlParserPos place) {
    this.place = place;
  }

  static RelNode replace(RelNode plan, Origins origins) {
    if (Plans.nodes(plan).noneMatch(SearchKeys::is)) {
      return plan;
    }
    RelNode replaced = visit(plan, origins);
    Plans.nodes(replaced).filter(SearchKeys::is).findFirst().ifPresent(left -> {
      throw new DiagnosticException("RT0127", origins.place(left, SqlParserPos.ZERO), "SEARCH_KEY is not allowed here",
          "put it into FROM, as in s LEFT JOIN LATERAL SEARCH_KEY(t, DESCRIPTOR(k), s.x) AS f ON TRUE, with nothing but columns and conditions"
              + " above it in a sub-query");
    });
    return replaced;
  }

  private static boolean is(RelNode rel) {
    return rel instanceof TableFunctionScan call && ((RexCall) call.getCall()).getOperator() == RowtimeOperators.SEARCH_KEY;
  }

  private static RelNode visit(RelNode rel, Origins origins) {
    // The replacement of a join also replaces nodes below it, so the join comes first.
    RelNode made = rel instanceof Correlate || rel instanceof Join ? origins.recordReplacement(rel, rewriteJoin(rel, origins)) : rel;
    RelNode below = origins.withInputs(made, made.getInputs().stream().map(input -> visit(input, origins)).toList())
        .accept(new RexShuttle() {
          @Override public RexNode visitSubQuery(RexSubQuery query) {
            return query.clone(visit(query.rel, origins));
          }
        });
    RelNode done = is(below) && RelOptUtil.getVariablesUsed(below).isEmpty() ? alone(below, origins.place(below, SqlParserPos.ZERO)) : below;
    return origins.recordReplacement(rel, done);
  }

  /**
   * Converts a join whose right side is a look-up for the left row, or for constants; returns any other join unchanged.
   */
  private static RelNode rewriteJoin(RelNode rel, Origins origins) {
    if (rel instanceof Correlate correlate) {
      return of(new OuterRow(correlate.getLeft(), Set.of(correlate.getCorrelationId())), correlate.getRight(), correlate.getJoinType(), null, rel,
          origins);
    }
    return !(rel instanceof LogicalJoin join) ? rel : of(new OuterRow(join.getLeft(), Set.of()), join.getRight(), join.getJoinType(), join.getCondition(), rel, origins);
  }

  /** Converts a look-up for constants that is not joined with anything. */
  private static RelNode alone(RelNode scan, SqlParserPos place) {
    RelNode one = LogicalValues.createOneRow(scan.getCluster());
    RelNode found = new SearchKeys(place).join(new OuterRow(one, Set.of()), (TableFunctionScan) scan, JoinRelType.INNER, null);
    int width = one.getRowType().getFieldCount();
    List<RexNode> columns = refs(found, width, found.getRowType().getFieldCount());
    return LogicalProject.create(found, List.of(), columns, scan.getRowType().getFieldNames(), Set.of());
  }

  private static RelNode of(OuterRow left, RelNode right, JoinRelType type, RexNode on, RelNode rel, Origins origins) {
    Deque<RelNode> above = new ArrayDeque<>();
    RelNode below = right;
    while (below instanceof Project || below instanceof Filter) {
      above.push(below);
      below = below.getInput(0);
    }
    if (!is(below) || type != JoinRelType.INNER && type != JoinRelType.LEFT) {
      return rel;
    }
    SqlParserPos place = origins.place(below, SqlParserPos.ZERO);
    int width = left.input().getRowType().getFieldCount();
    List<RexNode> found = new ArrayList<>();
    for (int i = 0; i < below.getRowType().getFieldCount(); i++) {
      found.add(RexInputRef.of(i, below.getRowType()));
    }
    List<RexNode> outputs = new ArrayList<>(found.stream().map(ref -> RexUtil.shift(ref, width)).toList());
    List<RexNode> conditions = new ArrayList<>();
    while (!above.isEmpty()) {
      RelNode next = above.pop();
      List<RexNode> fields = List.copyOf(outputs);
      if (next instanceof Filter filter) {
        conditions.add(left.inline(filter.getCondition(), ref -> fields.get(ref.getIndex())));
      } else {
        outputs.clear();
        ((Project) next).getProjects().forEach(expr -> outputs.add(left.inline(expr, ref -> fields.get(ref.getIndex()))));
      }
    }
    if (on != null && !on.isAlwaysTrue()) {
      conditions.add(on.accept(new RexShuttle() {
        @Override public RexNode visitInputRef(RexInputRef ref) {
          return ref.getIndex() < width ? ref : outputs.get(ref.getIndex() - width);
        }
      }));
    }
    if (type == JoinRelType.LEFT && outputs.stream().anyMatch(expr -> !(expr instanceof RexInputRef))) {
      throw new DiagnosticException("RT0127", place, "The right side of a LEFT JOIN computes columns that SEARCH_KEY does not return",
          "compute them in the SELECT of the join");
    }
    RexBuilder rex = rel.getCluster().getRexBuilder();
    RexNode condition = conditions.isEmpty() ? null : RexUtil.composeConjunction(rex, conditions);
    RelNode join = new SearchKeys(place).join(left, (TableFunctionScan) below, type, condition);
    List<RexNode> columns = refs(join, 0, width);
    outputs.forEach(expr -> columns.add(expr instanceof RexInputRef ref ? RexInputRef.of(ref.getIndex(), join.getRowType()) : expr));
    RelNode projected = RexUtil.isIdentity(columns, join.getRowType()) ? join
        : LogicalProject.create(join, List.of(), columns, rel.getRowType().getFieldNames(), Set.of());
    return RelOptUtil.createCastRel(projected, rel.getRowType(), true);
  }

  /** Joins the left rows with the rows that the call finds, with all columns of the call's table. */
  private RelNode join(OuterRow left, TableFunctionScan call, JoinRelType type, RexNode condition) {
    List<RexNode> args = ((RexCall) call.getCall()).getOperands();
    RelNode input = withoutIdentity(call.getInput(0));
    if (!(input instanceof TableScan scan) || scan.getTable().unwrap(CatalogTable.class) == null) {
      throw refused("A view or a query has no keys by which to look up rows", "name the table that it reads, or join with it instead of using SEARCH_KEY");
    }
    CatalogObject object = scan.getTable().unwrapOrThrow(CatalogTable.class).object();
    SearchKeyOptions options = args.size() > 2 ? SearchKeyOptions.read(((RexLiteral) RexUtil.removeCast(args.get(2))).getValueAs(String.class))
        : SearchKeyOptions.DEFAULT;
    Connector.SearchKey connector = connector(object, args.size() > 2, options);
    List<String> names = scan.getRowType().getFieldNames();
    List<Integer> keys = new ArrayList<>();
    for (RexNode name : ((RexCall) args.get(0)).getOperands()) {
      String given = ((RexLiteral) RexUtil.removeCast(name)).getValueAs(String.class).trim();
      int exact = names.indexOf(given);
      keys.add(exact >= 0 ? exact : names.stream().map(column -> column.toUpperCase(Locale.ROOT)).toList().indexOf(given.toUpperCase(Locale.ROOT)));
    }
    RexBuilder rex = scan.getCluster().getRexBuilder();
    List<RexNode> values = values(left.inline(args.get(1)), keys.size(), rex);
    List<RexNode> lookup = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      lookup.add(SearchKeyTypes.fit(values.get(i), scan.getRowType().getFieldList().get(keys.get(i)), rex, place));
    }
    if (connector != null) {
      return new SearchKeyJoin(left.input(), scan, connector, type, keys, lookup, condition, options);
    }
    int width = left.input().getRowType().getFieldCount();
    List<RexNode> conditions = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      RexNode key = rex.makeInputRef(scan.getRowType().getFieldList().get(keys.get(i)).getType(), width + keys.get(i));
      conditions.add(rex.makeCall(SqlStdOperatorTable.EQUALS, key, lookup.get(i)));
    }
    if (condition != null) {
      conditions.add(condition);
    }
    return LogicalJoin.create(left.input(), scan, List.of(), RexUtil.composeConjunction(rex, conditions), Set.of(), type);
  }

  /**
   * Returns how the rows of a table are looked up; null for one of rowtime's own tables, of which one version is
   * joined.
   */
  private Connector.SearchKey connector(CatalogObject object, boolean given, SearchKeyOptions options) {
    if (object.isStream()) {
      throw refused("'" + object.name() + "' is a stream, but SEARCH_KEY looks up rows only in tables",
          "join it FOR SYSTEM_TIME AS OF s.ROWTIME, or within windows; or let a pump write its rows to a table");
    }
    if (!object.kind().equals("FOREIGN TABLE")) {
      if (given) {
        throw new DiagnosticException("RT0128", place, "'" + object.name() + "' is a table of the warehouse, of which a query reads one version: there is"
            + " nothing to time out, to try again or to cache", "leave out options");
      }
      return null;
    }
    Connector connector = object.connector();
    if (connector.searchKey() == null) {
      String others = Connector.all().filter(other -> other.searchKey() != null).map(Connector::name).collect(Collectors.joining(" and "));
      throw refused("The connector '" + connector.name() + "' of '" + object.name() + "' cannot look up rows by key",
          "SEARCH_KEY reads tables of the warehouse and of the connectors " + others + ": copy the rows to one of these, or use a JOIN, which reads all rows");
    }
    if (connector.searchKey() == Connector.SearchKey.DELTA) {
      if (options.retries() > 0) {
        throw new DiagnosticException("RT0128", place, "'" + object.name() + "' is a Delta table, of which all look-ups of a micro-batch see one version: "
            + "a key without a row has none in the next attempt either", "leave out 'retry-predicate': LEFT JOIN LATERAL keeps rows without a match, and later "
            + "micro-batches see later versions");
      }
      if (!options.onlyCache()) {
        throw new DiagnosticException("RT0128", place, "'" + object.name() + "' is a Delta table, which is read once for all keys of a micro-batch:"
            + " there are no statements to send at once, to time out or to try again", "give no options but those of the cache");
      }
    }
    return connector.searchKey();
  }

  /** Returns the value to look up for each column of the key. */
  private List<RexNode> values(RexNode lookup, int columns, RexBuilder rex) {
    List<RexNode> values;
    if (lookup instanceof RexCall row && row.getOperator() == SqlStdOperatorTable.ROW) {
      values = row.getOperands();
    } else if (lookup.getType().isStruct()) {
      values = lookup.getType().getFieldList().stream().map(field -> rex.makeFieldAccess(lookup, field.getIndex())).toList();
    } else {
      values = List.of(lookup);
    }
    if (values.size() != columns) {
      throw new DiagnosticException("RT0127", place, "The key has " + columns + (columns == 1 ? " column" : " columns") + ", and lookup "
          + values.size() + (values.size() == 1 ? " value" : " values"), "write as many values as columns, as in (s.x, s.y)");
    }
    return values;
  }

  private DiagnosticException refused(String message, String hint) {
    return new DiagnosticException("RT0129", place, message, hint);
  }

  private static RelNode withoutIdentity(RelNode rel) {
    return rel instanceof LogicalProject project && RexUtil.isIdentity(project.getProjects(), project.getInput().getRowType())
        ? withoutIdentity(project.getInput()) : rel;
  }

  private static List<RexNode> refs(RelNode rel, int from, int to) {
    List<RexNode> refs = new ArrayList<>();
    for (int i = from; i < to; i++) {
      refs.add(RexInputRef.of(i, rel.getRowType()));
    }
    return refs;
  }
}
