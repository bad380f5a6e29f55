package io.rowtime.plan.rewrite;

import io.rowtime.catalog.CatalogTable;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Plans;
import io.rowtime.validate.function.FromChangelog;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalMinus;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Replaces {@code FROM_CHANGELOG(changes)}: the rows that have been added, EXCEPT ALL those that have been retracted. In a streaming
 * query, the changes must be in tables: those in a stream would become a part of the streaming query.
 */
final class ChangelogTables {
  private ChangelogTables() {}

  static RelNode replace(RelNode plan, boolean streaming, Origins origins) {
    if (Plans.nodes(plan).noneMatch(ChangelogTables::is)) {
      return plan;
    }
    return origins.rewrite(plan, node -> {
      RelNode below = Plans.replaceSubQueries(node, query -> replace(query, streaming, origins));
      return is(below) && !(streaming && readsStream(below)) ? table((TableFunctionScan) below) : below;
    });
  }

  private static boolean is(RelNode rel) {
    return rel instanceof TableFunctionScan call && ((RexCall) call.getCall()).getOperator() == RowtimeOperators.FROM_CHANGELOG;
  }

  private static boolean readsStream(RelNode rel) {
    return Plans.nodes(rel).anyMatch(node -> node instanceof TableScan scan
        && (scan.getTable().unwrap(CatalogTable.class) == null || scan.getTable().unwrapOrThrow(CatalogTable.class).object().streamable()));
  }

  private static RelNode table(TableFunctionScan changelog) {
    RelNode changes = changelog.getInput(0);
    RelNode rows = LogicalMinus.create(List.of(rows(changes, FromChangelog.ADDED), rows(changes, FromChangelog.RETRACTED)), true);
    return RelOptUtil.createCastRel(rows, changelog.getRowType(), true);
  }

  /** Returns the payloads of the changes with one of these numbers, as rows. */
  private static RelNode rows(RelNode changes, List<Integer> ops) {
    RexBuilder rex = changes.getCluster().getRexBuilder();
    RelDataType type = changes.getRowType();
    RexNode op = rex.makeInputRef(changes, type.getField(FromChangelog.OP, false, false).getIndex());
    RexNode payload = rex.makeInputRef(changes, type.getField(FromChangelog.PAYLOAD, false, false).getIndex());
    List<RexNode> numbers = ops.stream().<RexNode>map(each -> rex.makeLiteral(each, op.getType(), true)).toList();
    RexNode isOne = rex.makeCall(SqlStdOperatorTable.OR,
        numbers.stream().map(number -> rex.makeCall(SqlStdOperatorTable.EQUALS, op, number)).toList());
    List<RexNode> fields = new ArrayList<>();
    payload.getType().getFieldList().forEach(field -> fields.add(rex.makeFieldAccess(payload, field.getIndex())));
    return LogicalProject.create(LogicalFilter.create(changes, isOne), List.of(), fields, payload.getType().getFieldNames(), Set.of());
  }
}
