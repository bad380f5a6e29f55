package io.rowtime.plan.rewrite;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.AppliedChangelog;
import io.rowtime.plan.rel.Changelogs;
import io.rowtime.plan.rel.Plans;
import io.rowtime.validate.function.FromChangelog;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalMinus;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Replaces {@code FROM_CHANGELOG(changes)}: of a relation by the rows that have been added, EXCEPT ALL those that have been retracted;
 * of a stream by an {@link AppliedChangelog}, unless its changes are those that a TO_CHANGELOG right below it makes.
 */
final class ChangelogTables {
  private ChangelogTables() {}

  static RelNode replace(RelNode plan, boolean streaming, Origins origins) {
    if (Plans.nodes(plan).noneMatch(ChangelogTables::is)) {
      return plan;
    }
    return origins.rewrite(plan, node -> {
      RelNode below = Plans.replaceSubQueries(node, query -> replace(query, streaming, origins));
      if (!is(below)) {
        return below;
      }
      TableFunctionScan call = (TableFunctionScan) below;
      boolean stream = streaming && StreamingNodes.readsStream(call.getInput(0));
      RelNode rows = stream ? applied(call) : table(call, origins);
      return RelOptUtil.createCastRel(rows, call.getRowType(), true);
    });
  }

  private static boolean is(RelNode rel) {
    return rel instanceof TableFunctionScan call && ((RexCall) call.getCall()).getOperator() == RowtimeOperators.FROM_CHANGELOG;
  }

  private static RelNode applied(TableFunctionScan changelog) {
    RelNode changes = changelog.getInput(0);
    RelNode made = changes instanceof Project project && RexUtil.isIdentity(project.getProjects(), project.getInput().getRowType()) ? project.getInput() : changes;
    List<Integer> key = Changelogs.onKey(changelog);
    if (Changelogs.isChangelog(made) && (key == null || Changelogs.uniqueKeys(made.getInput(0)).stream().anyMatch(key::containsAll))) {
      return made.getInput(0);
    }
    List<RexNode> columns = fields(changes);
    columns.add(AppliedChangelog.OP, op(changes));
    List<String> names = new ArrayList<>(payload(changes).getType().getFieldNames());
    names.add(AppliedChangelog.OP, "$op");
    return AppliedChangelog.create(LogicalProject.create(changes, List.of(), columns, names, Set.of()),
        key == null ? null : key.stream().map(column -> column + AppliedChangelog.FIRST).toList(), RowtimeOperators.FROM_CHANGELOG.getName());
  }

  private static RelNode table(TableFunctionScan changelog, Origins origins) {
    if (Changelogs.onKey(changelog) != null) {
      throw new DiagnosticException("RT0131", origins.place(changelog, SqlParserPos.ZERO), "The latest change of a key is only known of a stream: rows of a table have no order",
          "leave out on_key if the changes contain the rows that are replaced; or keep the result of a stream in a MATERIALIZED VIEW");
    }
    RelNode changes = changelog.getInput(0);
    return LogicalMinus.create(List.of(rows(changes, FromChangelog.ADDED), rows(changes, FromChangelog.RETRACTED)), true);
  }

  /** Returns the payloads of the changes with one of these numbers, as rows. */
  private static RelNode rows(RelNode changes, List<Integer> ops) {
    RexBuilder rex = changes.getCluster().getRexBuilder();
    RexNode op = op(changes);
    List<RexNode> numbers = ops.stream().<RexNode>map(each -> rex.makeLiteral(each, op.getType(), true)).toList();
    RexNode isOne = rex.makeCall(SqlStdOperatorTable.OR,
        numbers.stream().map(number -> rex.makeCall(SqlStdOperatorTable.EQUALS, op, number)).toList());
    return LogicalProject.create(LogicalFilter.create(changes, isOne), List.of(), fields(changes), payload(changes).getType().getFieldNames(), Set.of());
  }

  private static RexNode op(RelNode changes) {
    return column(changes, FromChangelog.OP);
  }

  private static RexNode payload(RelNode changes) {
    return column(changes, FromChangelog.PAYLOAD);
  }

  private static RexNode column(RelNode changes, String name) {
    RelDataType type = changes.getRowType();
    return changes.getCluster().getRexBuilder().makeInputRef(changes, type.getField(name, false, false).getIndex());
  }

  /** Returns the columns of the payload. */
  private static List<RexNode> fields(RelNode changes) {
    RexBuilder rex = changes.getCluster().getRexBuilder();
    RexNode payload = payload(changes);
    List<RexNode> fields = new ArrayList<>();
    payload.getType().getFieldList().forEach(field -> fields.add(rex.makeFieldAccess(payload, field.getIndex())));
    return fields;
  }
}
