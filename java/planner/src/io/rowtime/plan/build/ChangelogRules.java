package io.rowtime.plan.build;

import io.rowtime.plan.monotone.Monotonicity;
import io.rowtime.plan.node.ChangeModes;
import io.rowtime.plan.node.Column;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Fallible;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.node.StateBound;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.AppliedChangelog;
import io.rowtime.plan.rel.ChangeScan;
import io.rowtime.plan.rel.Changelogs;
import io.rowtime.plan.rel.LatenessFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** Makes the nodes of TO_CHANGELOG, and of changes that a table gets. Where nothing is retracted, each row is an insertion. */
final class ChangelogRules {
  private static final String OP = "$op";

  private final NodeBuilder nodes;
  private final PlannedQuery plan;

  ChangelogRules(NodeBuilder nodes, PlannedQuery plan) {
    this.nodes = nodes;
    this.plan = plan;
  }

  /** Makes a result that a table has: rows that are final, or, if there are none, the changes, with OP as their last column. */
  PlanNode applied(RelNode result, PlannedQuery.Upserts table) {
    PlanNode input = nodes.belowChangelog(result);
    if (!ChangeModes.retracts(input) || table == PlannedQuery.Upserts.NOWHERE) {
      return input;
    }
    List<Column> columns = new ArrayList<>();
    for (Column column : input.columns()) {
      columns.add(new Column(column.name(), column.type(), column.nullable(), Monotonicity.NOT_MONOTONIC, 0));
    }
    columns.add(new Column(OP, "TINYINT", false, Monotonicity.NOT_MONOTONIC, 0));
    StateBound none = new StateBound(StateBound.Size.NONE, null, "handles each row separately");
    return new PlanNode(new Operator.ToChangelog(table.key(), true, Changelogs.renews(table.key(), result), SourceIdentity.of(table.table())), List.of(input), columns, null, none, true, null, List.of(),
        List.of(), input.origin());
  }

  PlanNode node(TableFunctionScan changelog) {
    PlanNode input = nodes.belowChangelog(changelog.getInput(0));
    if (ChangeModes.retracts(input)) {
      List<Integer> onKey = Changelogs.onKey(changelog);
      List<Integer> key = onKey == null ? Changelogs.uniqueKey(changelog.getInput(0)) : onKey;
      return nodes.node(changelog, new Operator.ToChangelog(key, onKey != null, Changelogs.renews(key, changelog.getInput(0)), null), List.of(input));
    }
    nodes.refuseIf(plan.streaming() && (!input.streaming() || readsTable(input)), "TO_CHANGELOG of a table as a stream");
    RexBuilder rex = changelog.getCluster().getRexBuilder();
    RelDataType op = changelog.getRowType().getFieldList().get(0).getType();
    RelDataType payload = changelog.getRowType().getFieldList().get(1).getType();
    List<RexNode> fields = IntStream.range(0, input.columns().size()).<RexNode>mapToObj(i -> rex.makeInputRef(changelog.getInput(0), i)).toList();
    List<Expression> values = List.of(nodes.expressions().of(rex.makeZeroLiteral(op)),
        nodes.expressions().of(rex.makeCall(payload, SqlStdOperatorTable.ROW, fields)));
    return nodes.node(changelog, new Operator.Project(values, Fallible.NOTHING), List.of(input));
  }

  /** Makes FROM_CHANGELOG of a stream. */
  Operator fromChangelog(AppliedChangelog changelog) {
    nodes.refuseIf(changelog.key() != null && !arriveInOrder(changelog.getInput()), "FROM_CHANGELOG with on_key of rows that have waited, and lost the order in which they arrived");
    return new Operator.FromChangelog(AppliedChangelog.OP, changelog.key());
  }

  /** Returns whether rows are processed as they arrive. */
  private static boolean arriveInOrder(RelNode rel) {
    return rel instanceof TableScan && !(rel instanceof ChangeScan)
        || (rel instanceof Project || rel instanceof Filter || rel instanceof LatenessFilter) && arriveInOrder(rel.getInput(0));
  }

  /** Returns whether rows of a table arrive as a stream, some of which could replace earlier ones. */
  private static boolean readsTable(PlanNode node) {
    return node.streaming() && node.operator() instanceof Operator.Scan scan && scan.catalogKind().endsWith("TABLE")
        || node.inputs().stream().anyMatch(ChangelogRules::readsTable);
  }
}
