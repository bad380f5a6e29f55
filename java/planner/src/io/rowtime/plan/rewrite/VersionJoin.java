package io.rowtime.plan.rewrite;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.origin.Origins;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * A join with versions, as written in the query.
 *
 * @param time the time of the version, over the left row
 * @param versions all versions
 * @param condition the condition over the left row and the version
 * @param outputs the columns of the join's right input, over the version
 */
record VersionJoin(RexNode time, TableScan versions, RexNode condition, List<RexNode> outputs) {
  CatalogObject object() {
    return versions.getTable().unwrapOrThrow(CatalogTable.class).object();
  }

  /** Returns the columns of the primary key. */
  List<Integer> identity() {
    List<String> names = versions.getRowType().getFieldNames();
    return object().primaryKey().stream().map(names::indexOf).toList();
  }

  /** Returns whether a node returns the versions of a table. */
  static boolean isVersions(RelNode rel) {
    return rel instanceof TableFunctionScan call && ((RexCall) call.getCall()).getOperator() == RowtimeOperators.VERSIONS
        || (rel instanceof Project || rel instanceof Filter) && isVersions(rel.getInput(0));
  }

  /** Returns whether a condition gives the time of the version. */
  static boolean isAsOf(RexNode conjunct) {
    return conjunct instanceof RexCall call && call.getOperator() == RowtimeOperators.AS_OF;
  }

  /**
   * Reads the join {@code original}, whose inputs have been rewritten to those of {@code join}. Refuses tables without
   * versions.
   */
  static VersionJoin read(Join join, RelNode original, Origins origins) {
    List<RexNode> outputs = new ArrayList<>(join.getCluster().getRexBuilder().identityProjects(join.getRight().getRowType()));
    List<RexNode> filters = new ArrayList<>();
    RelNode rel = join.getRight();
    for (; rel instanceof Project || rel instanceof Filter; rel = rel.getInput(0)) {
      if (rel instanceof Filter filter) {
        filters.add(filter.getCondition());
      } else {
        List<RexNode> exprs = ((Project) rel).getProjects();
        outputs.replaceAll(expr -> substitute(expr, 0, exprs));
        filters.replaceAll(expr -> substitute(expr, 0, exprs));
      }
    }
    SqlParserPos place = origins.place(original, SqlParserPos.ZERO);
    if (!(rel instanceof TableFunctionScan call && ((RexCall) call.getCall()).getOperator() == RowtimeOperators.VERSIONS)) {
      throw new DiagnosticException("RT0900", origins.matchedTime(original), "not supported yet: a table as of each row's time in this position",
          "put the join into a sub-query in FROM");
    }
    if (!(withoutIdentity(rel.getInput(0)) instanceof TableScan versions)) {
      throw new DiagnosticException("RT0211", place, "A view has no versions of its rows",
          "join the stream or the table that the view reads");
    }
    int width = join.getLeft().getRowType().getFieldCount();
    RexNode time = null;
    List<RexNode> conditions = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
      if (isAsOf(conjunct)) {
        time = ((RexCall) conjunct).getOperands().get(0);
      } else {
        conditions.add(substitute(conjunct, width, outputs));
      }
    }
    filters.forEach(filter -> conditions.add(RexUtil.shift(filter, width)));
    RexNode kept = Snapshots.notDeleted(versions);
    if (kept != null) {
      conditions.add(RexUtil.shift(kept, width));
    }
    RexNode condition = RexUtil.composeConjunction(join.getCluster().getRexBuilder(), conditions);
    VersionJoin written = new VersionJoin(time, versions, condition, outputs);
    written.check(join, place);
    return written;
  }

  private static RelNode withoutIdentity(RelNode rel) {
    return rel instanceof Project project && RexUtil.isIdentity(project.getProjects(), project.getInput().getRowType())
        ? withoutIdentity(project.getInput()) : rel;
  }

  private void check(Join join, SqlParserPos place) {
    CatalogObject object = object();
    if (join.getJoinType() != JoinRelType.INNER && join.getJoinType() != JoinRelType.LEFT) {
      throw new DiagnosticException("RT0210", place, "Cannot return the unmatched rows of a table with versions: only a row of "
          + "the left side selects a version", "make it a LEFT or an INNER JOIN");
    }
    if (object.kind().equals("FOREIGN TABLE")) {
      throw new DiagnosticException("RT0211", place, "'" + object.name() + "' is a foreign table, and its versions are not kept",
          "copy its rows with a pump into a table or a stream with history, and join that");
    }
    if (object.isSystem() && !object.isStream()) {
      throw new DiagnosticException("RT0211", place, "'" + object.name() + "' is a system table, which has no history",
          "join its stream, or the table as it is now");
    }
    if (object.streamable() && object.primaryKey().isEmpty()) {
      throw new DiagnosticException("RT0211", place, "'" + object.name() + "' has no PRIMARY KEY to tell which rows are versions of the same thing",
          "declare one; or take the latest row of the same keys: s ASOF JOIN t MATCH_CONDITION s.ROWTIME >= t.ROWTIME ON s.k = t.k");
    }
  }

  /** Replaces the expression's references to columns from {@code width} on. */
  private static RexNode substitute(RexNode expr, int width, List<RexNode> by) {
    return expr.accept(new RexShuttle() {
      @Override public RexNode visitInputRef(RexInputRef ref) {
        return ref.getIndex() < width ? ref : RexUtil.shift(by.get(ref.getIndex() - width), width);
      }
    });
  }

  /** Returns the columns that the original join returns. */
  RelNode outputs(RelNode joined, Join join) {
    RexBuilder rex = join.getCluster().getRexBuilder();
    int width = join.getLeft().getRowType().getFieldCount();
    List<RexNode> columns = new ArrayList<>(rex.identityProjects(joined.getRowType()).subList(0, width));
    List<RexNode> rights = rex.identityProjects(joined.getRowType()).subList(width, joined.getRowType().getFieldCount());
    outputs.forEach(output -> columns.add(output.accept(new RexShuttle() {
      @Override public RexNode visitInputRef(RexInputRef ref) {
        return rights.get(ref.getIndex());
      }
    })));
    return RexUtil.isIdentity(columns, joined.getRowType()) ? joined
        : LogicalProject.create(joined, List.of(), columns, join.getRowType().getFieldNames(), Set.of());
  }
}
