package io.rowtime.plan.rewrite;

import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexVisitorImpl;

/**
 * Replaces calls of {@link RowtimeOperators#JOIN_ROWTIME} by the column in which an {@link IntervalJoin} returns its
 * ROWTIME.
 */
final class JoinRowtimes {
  private JoinRowtimes() {}

  static RelNode resolve(RelNode plan, Origins origins) {
    return origins.rewrite(plan, node -> {
      if (!(node instanceof LogicalProject project) || project.getProjects().stream().noneMatch(JoinRowtimes::isCalledIn)) {
        return node;
      }
      RelNode input = withRowtime(project.getInput(), origins);
      return input == null ? project : LogicalProject.create(input, project.getHints(), resolve(project.getProjects(), input),
          project.getRowType().getFieldNames(), project.getVariablesSet());
    });
  }

  /**
   * Returns the node with the ROWTIME of the join below as its last column; null if there is no join of streams below.
   */
  private static RelNode withRowtime(RelNode rel, Origins origins) {
    if (rel instanceof IntervalJoin join) {
      return origins.recordReplacement(join, join.withRowtime());
    }
    RelNode below = rel instanceof LogicalFilter filter ? withRowtime(filter.getInput(), origins) : null;
    return below == null ? null : origins.withInputs(rel, List.of(below));
  }

  private static List<RexNode> resolve(List<RexNode> exprs, RelNode input) {
    int rowtime = input.getRowType().getFieldCount() - 1;
    return new RexShuttle() {
      @Override public RexNode visitCall(RexCall call) {
        return isRowtime(call) ? RexInputRef.of(rowtime, input.getRowType()) : super.visitCall(call);
      }
    }.visitList(exprs);
  }

  static boolean isCalledIn(RexNode expr) {
    List<RexCall> found = new ArrayList<>();
    expr.accept(new RexVisitorImpl<Void>(true) {
      @Override public Void visitCall(RexCall call) {
        if (isRowtime(call)) {
          found.add(call);
        }
        return super.visitCall(call);
      }
    });
    return !found.isEmpty();
  }

  private static boolean isRowtime(RexCall call) {
    return call.getOperator() == RowtimeOperators.JOIN_ROWTIME;
  }
}
