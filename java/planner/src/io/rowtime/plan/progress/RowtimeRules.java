package io.rowtime.plan.progress;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.OrderAnalysis;
import java.time.Duration;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/** Checks {@code expr AS ROWTIME}, which becomes the clock of all operators above. */
final class RowtimeRules {
  private final OrderAnalysis orders;

  RowtimeRules(OrderAnalysis orders) {
    this.orders = orders;
  }

  /**
   * Returns what is wrong with the ROWTIME of a projection; null if nothing is.
   *
   * @param result whether the projection gives the result, whose rows have to be in order
   */
  Problem check(Project project, boolean result) {
    int named = named(project);
    // {@link JoinRules} checks the order of a join's rows.
    if (named < 0 || passes(project) || JoinRules.isOverJoin(project.getInput())) {
      return null;
    }
    RexNode expr = project.getProjects().get(named);
    FieldOrder order = orders.of(project).fields().get(named);
    if (!order.monotonicity().increasing()) {
      return misplaced("ROWTIME must be an increasing function of the input's ROWTIME, and " + describe(expr) + " is not",
          "keep ROWTIME itself, or shift it by a constant; give the expression another name if it is not the row's time");
    } else if (order.disorder() > 0 && order.goesByLocalTime()) {
      return misplaced("ROWTIME must be increasing, and " + describe(expr) + " goes back when the clocks of its time zone are set back",
          "keep ROWTIME, and give the local time another name; or group by it, as in GROUP BY FLOOR(… TO DAY)");
    } else if (order.disorder() > 0 && !order.derivesFromRowtime() && isLate(project.getInput(), expr)) {
      return misplaced("ROWTIME must be increasing, and " + describe(expr) + " may arrive out of order by its LATENESS",
          "sort by it first: … ORDER BY the expression");
    } else if (order.disorder() > 0 && (!order.derivesFromRowtime() || result && order.spread() > 0)) {
      return misplaced("ROWTIME must be increasing, and " + describe(expr) + " may be up to " + Duration.ofMillis(order.disorder())
          + " behind that of an earlier row", "keep ROWTIME, and give the expression another name; or group by it");
    }
    return null;
  }

  private static Problem misplaced(String message, String hint) {
    return Problem.error("RT0209", message, hint);
  }

  /** Returns whether a column that an expression reads arrives out of order. */
  private boolean isLate(RelNode input, RexNode expr) {
    return RelOptUtil.InputFinder.bits(expr).asList().stream().anyMatch(column -> orders.of(input).fields().get(column).disorder() > 0);
  }

  private static int named(Project project) {
    return project.getRowType().getFieldNames().indexOf(CatalogObject.ROWTIME);
  }

  /**
   * Returns whether a projection only passes on a column that is named ROWTIME already; after ORDER BY it may be in
   * another order.
   */
  static boolean passes(Project project) {
    int named = named(project);
    return named >= 0 && project.getProjects().get(named) instanceof RexInputRef ref
        && project.getInput().getRowType().getFieldNames().get(ref.getIndex()).equals(CatalogObject.ROWTIME);
  }

  static String describe(RexNode expr) {
    return expr instanceof RexInputRef ? "the column given" : "the expression given";
  }
}
