package io.rowtime.plan.rewrite;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Plans;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinInfo;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.mapping.IntPair;

/**
 * Replaces the times that USING or NATURAL merges, which are COALESCE of both sides, by the side that is present in each
 * row. The planner knows the order of columns, and of the ROWTIME of a join, but not that of COALESCE.
 */
final class MergedRowtimes {
  private MergedRowtimes() {}

  static RelNode replace(RelNode plan, Origins origins) {
    if (Plans.nodes(plan).noneMatch(Join.class::isInstance)) {
      return plan;
    }
    RexBuilder rex = plan.getCluster().getRexBuilder();
    return origins.rewrite(plan, node -> {
      boolean reads = node instanceof LogicalProject || node instanceof LogicalFilter;
      Join join = reads && JoinRowtimes.belowFilters(node.getInput(0)) instanceof Join below ? below : null;
      return join == null && !(node instanceof Join) ? node : node.accept(new RexShuttle() {
        @Override public RexNode visitCall(RexCall call) {
          return mergesTimes(call) ? present(call, join, rex) : super.visitCall(call);
        }
      });
    });
  }

  private static boolean mergesTimes(RexCall call) {
    return call.isA(SqlKind.COALESCE)
        && call.getOperands().stream().allMatch(side -> side instanceof RexInputRef && side.getType().getSqlTypeName() == SqlTypeName.TIMESTAMP);
  }

  /** @param join the join that makes the rows; null if the call is a part of a join's own condition */
  private static RexNode present(RexCall call, Join join, RexBuilder rex) {
    List<RexNode> sides = call.getOperands();
    if (!sides.get(0).getType().isNullable()) {
      return rex.ensureType(call.getType(), sides.get(0), true);
    }
    if (join == null || sides.size() != 2 || !join.getJoinType().generatesNullsOnLeft()) {
      return call;
    }
    int left = ((RexInputRef) sides.get(0)).getIndex();
    int right = ((RexInputRef) sides.get(1)).getIndex() - join.getLeft().getRowType().getFieldCount();
    if (!JoinInfo.of(join.getLeft(), join.getRight(), join.getCondition()).pairs().contains(IntPair.of(left, right))) {
      return call;
    }
    if (join.getJoinType() == JoinRelType.RIGHT) {
      return rex.ensureType(call.getType(), sides.get(1), true);
    }
    return isRowtime(join.getLeft(), left) && isRowtime(join.getRight(), right)
        ? rex.ensureType(call.getType(), rex.makeCall(RowtimeOperators.JOIN_ROWTIME, sides), true) : call;
  }

  /** Returns whether a column is the ROWTIME of an input. That of a join may be another one. */
  private static boolean isRowtime(RelNode input, int column) {
    return !(JoinRowtimes.belowFilters(input) instanceof Join) && input.getRowType().getFieldNames().indexOf(CatalogObject.ROWTIME) == column;
  }
}
