package io.rowtime.plan.physical;

import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.IntervalJoin;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalAggregate;

/**
 * Finds the operators that carry out a streaming plan: GROUP BY HOP is split in two steps, by way of panes; a window of which only
 * the first rows are asked for becomes Top-N; a join drops the duplicates of its inputs itself.
 */
public final class PhysicalPlanner {
  private PhysicalPlanner() {}

  public static RelNode plan(PlannedQuery logical) {
    TopNWindows windows = TopNWindows.of(logical.rel(), logical.streams(), logical.orders());
    RelNode plan = logical.origins().rewrite(logical.rel(), (original, node) -> node instanceof LogicalAggregate aggregate
        ? HopPanes.of(aggregate) : windows.replace(original, node));
    return logical.origins().rewrite(plan, node -> node instanceof IntervalJoin join ? DistinctInputs.of(join) : node);
  }
}
