package io.rowtime.plan;

import io.rowtime.plan.monotone.Monotonicity;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.RexOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexWindow;

/** What an analytic call on a stream needs so that each row can come out, and its state go, at some time. */
final class OverRules {
  /** Functions that need every row of the partition. */
  private static final Set<String> WHOLE_PARTITION = Set.of("PERCENT_RANK", "CUME_DIST", "NTILE");
  /** Functions whose state grows with every row of a frame that never loses one. */
  private static final Set<String> GROWING = Set.of("COLLECT", "LISTAGG", "PERCENTILE_CONT", "PERCENTILE_DISC",
      "STRING_AGG", "ARRAY_AGG", "FUSION", "MODE", "MEDIAN", "$PERCENTILE_CONT", "$PERCENTILE_DISC");

  /** What is wrong with a call. */
  record Problem(String code, String message, String hint, boolean warning) {}

  private final RexOrder orders;

  OverRules(NodeOrder input) {
    this.orders = new RexOrder(input.fields());
  }

  List<Problem> check(RexOver over) {
    RexWindow window = over.getWindow();
    List<Problem> problems = new ArrayList<>();
    if (window.partitionKeys.stream().anyMatch(k -> orders.of(k).monotonicity().makesProgress())) {
      // The partition itself closes, and takes all of its state along.
      return problems;
    }
    String function = over.getAggOperator().getName();
    if (!orderedByTime(window)) {
      problems.add(new Problem("RT0207", "A window over a stream must be ordered by a monotonic expression",
          "order it by ROWTIME, or partition by a function of ROWTIME such as FLOOR(ROWTIME TO HOUR)", false));
    } else if (WHOLE_PARTITION.contains(function)) {
      problems.add(new Problem("RT0207", function + " needs all the rows of a partition, but this partition is never complete",
          "partition by a function of ROWTIME such as FLOOR(ROWTIME TO HOUR) as well", false));
    } else if (window.getUpperBound().isUnbounded() && window.getUpperBound().isFollowing()) {
      problems.add(new Problem("RT0206", "A frame that ends UNBOUNDED FOLLOWING can never close on a stream",
          "end it at CURRENT ROW or at an interval FOLLOWING, or partition by a function of ROWTIME", false));
    } else if (window.getLowerBound().isUnbounded() && (over.isDistinct() || GROWING.contains(function))) {
      problems.add(new Problem("RT0208", (over.isDistinct() ? function + "(DISTINCT …)" : function.replace("$", ""))
          + " over a frame without a lower limit would have to keep every value for ever",
          "begin the frame at an interval PRECEDING, or partition by a function of ROWTIME", false));
    } else if (window.getLowerBound().isUnbounded() && !window.partitionKeys.isEmpty()) {
      problems.add(new Problem("RT0250", "State is kept for every value of PARTITION BY that ever occurs",
          "begin the frame at an interval PRECEDING, or partition by a function of ROWTIME as well", true));
    }
    return problems;
  }

  private boolean orderedByTime(RexWindow window) {
    if (window.orderKeys.isEmpty()) {
      return false;
    }
    RexFieldCollation leading = window.orderKeys.get(0);
    Monotonicity order = orders.of(leading.left).monotonicity();
    return leading.getDirection().isDescending() ? order.decreasing() : order.increasing();
  }
}
