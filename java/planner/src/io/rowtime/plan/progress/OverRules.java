package io.rowtime.plan.progress;

import io.rowtime.aggregate.AggregateFunction;
import io.rowtime.plan.monotone.Monotonicity;
import io.rowtime.plan.monotone.NodeOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.core.Window;

/** Checks that an analytic call on a stream lets each row be emitted, and its state be dropped, at some time. */
final class OverRules {
  private final NodeOrder input;

  OverRules(NodeOrder input) {
    this.input = input;
  }

  List<Problem> check(Window.Group group) {
    // When a partition is complete, all of its state is dropped.
    return group.keys.asList().stream().anyMatch(key -> order(key).makesProgress()) ? List.of()
        : group.aggCalls.stream().flatMap(call -> check(group, call).stream()).toList();
  }

  private List<Problem> check(Window.Group group, Window.RexWinAggCall call) {
    List<Problem> problems = new ArrayList<>();
    String function = call.getOperator().getName().replace("$", "");
    if (!orderedByTime(group)) {
      problems.add(new Problem("RT0207", "A window over a stream must be ordered by a monotonic expression",
          "order it by ROWTIME, ascending, or partition by a function of ROWTIME such as FLOOR(ROWTIME TO HOUR)", false));
    } else if (AggregateFunction.reads(function) == AggregateFunction.Reads.PARTITION) {
      problems.add(new Problem("RT0207", function + " needs all the rows of a partition, but this partition is never complete",
          "partition by a function of ROWTIME such as FLOOR(ROWTIME TO HOUR) as well", false));
    } else if (group.upperBound.isUnbounded() && group.upperBound.isFollowing()) {
      problems.add(new Problem("RT0206", "A frame that ends UNBOUNDED FOLLOWING can never close on a stream",
          "end it at CURRENT ROW or at an interval FOLLOWING, or partition by a function of ROWTIME", false));
    } else if (group.lowerBound.isUnbounded() && (call.distinct || AggregateFunction.keepsFrame(function))) {
      problems.add(new Problem("RT0208", (call.distinct ? function + "(DISTINCT …)" : function)
          + " over a frame without a lower limit would have to keep every value forever",
          "begin the frame at an interval PRECEDING, or partition by a function of ROWTIME", false));
    } else if (group.lowerBound.isUnbounded() && !group.keys.isEmpty()) {
      problems.add(new Problem("RT0250", "State is kept for every value of PARTITION BY that ever occurs",
          "begin the frame at an interval PRECEDING, or partition by a function of ROWTIME as well", true));
    }
    return problems;
  }

  private boolean orderedByTime(Window.Group group) {
    if (group.orderKeys.getFieldCollations().isEmpty()) {
      return false;
    }
    RelFieldCollation leading = group.orderKeys.getFieldCollations().get(0);
    Monotonicity order = order(leading.getFieldIndex());
    return leading.getDirection().isDescending() ? order.decreasing() : order.increasing();
  }

  private Monotonicity order(int column) {
    return input.fields().get(column).monotonicity();
  }
}
