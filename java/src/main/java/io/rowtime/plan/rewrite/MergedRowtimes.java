package io.rowtime.plan.rewrite;

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
      Join join = reads ? belowFilters(node.getInput(0)) : null;
      return join == null && !(node instanceof Join) ? node : node.accept(new RexShuttle() {
        @Override public RexNode visitCall(RexCall call) {
          return mergesTimes(call) ? present(call, join, rex) : super.visitCall(call);
        }
      });
    });
  }

  private static Join belowFilters(RelNode rel) {
    return rel instanceof LogicalFilter filter ? belowFilters(filter.getInput()) : rel instanceof Join join ? join : null;
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
    boolean outer = join != null && sides.size() == 2 && join.getJoinType().generatesNullsOnLeft() && areEqual(sides, join);
    if (!outer) {
      return call;
    }
    return rex.ensureType(call.getType(), join.getJoinType() == JoinRelType.RIGHT ? sides.get(1) : rex.makeCall(RowtimeOperators.JOIN_ROWTIME, sides), true);
  }

  /** Returns whether the condition of the join compares the columns of the two sides. */
  private static boolean areEqual(List<RexNode> sides, Join join) {
    int left = ((RexInputRef) sides.get(0)).getIndex();
    int right = ((RexInputRef) sides.get(1)).getIndex() - join.getLeft().getRowType().getFieldCount();
    return JoinInfo.of(join.getLeft(), join.getRight(), join.getCondition()).pairs().contains(IntPair.of(left, right));
  }
}
