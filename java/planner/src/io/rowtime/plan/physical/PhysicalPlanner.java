package io.rowtime.plan.physical;

import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.SessionAggregate;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.logical.LogicalAggregate;

/**
 * Chooses the operators that execute a plan. Sessions of relations have no constant keys. In a streaming plan, GROUP BY a formatted
 * time is one by the time; GROUP BY HOP is split into two steps with panes, and GROUP BY SESSION where it needs the rows of a session;
 * a window of which a query uses only the first rows becomes Top-N; a join drops the duplicates of its inputs itself.
 */
public final class PhysicalPlanner {
  private PhysicalPlanner() {}

  /** @param mayChange whether the result may change */
  public static RelNode plan(PlannedQuery logical, boolean mayChange) {
    return logical.streaming() ? streaming(logical, mayChange)
        : logical.origins().rewrite(logical.rel(), node -> node instanceof SessionAggregate sessions ? ConstantKeys.without(sessions) : node);
  }

  private static RelNode streaming(PlannedQuery logical, boolean mayChange) {
    TopNWindows windows = TopNWindows.of(logical.rel(), logical.streams(), logical.orders(), mayChange);
    RelNode plan = logical.origins().rewrite(logical.rel(), (original, node) -> node instanceof LogicalAggregate aggregate
        ? aggregate(logical, (Aggregate) original, aggregate) : node instanceof SessionAggregate sessions
        ? sessions(logical, (SessionAggregate) original, sessions) : windows.replace(original, node));
    return logical.origins().rewrite(plan, node -> node instanceof IntervalJoin join ? DistinctInputs.of(join) : node);
  }

  private static RelNode sessions(PlannedQuery logical, SessionAggregate original, SessionAggregate sessions) {
    return progresses(logical, original) ? SessionRows.of(sessions)
        : logical.streams().contains(original) ? sessions : ConstantKeys.without(sessions);
  }

  private static RelNode aggregate(PlannedQuery logical, Aggregate original, LogicalAggregate aggregate) {
    RelNode byUnit = logical.streams().contains(original) ? FormattedKeys.of(aggregate, original, logical.orders()) : aggregate;
    return byUnit == aggregate ? HopPanes.of(aggregate) : byUnit;
  }

  /** Returns whether sessions are those of a stream, and end. */
  private static boolean progresses(PlannedQuery logical, SessionAggregate sessions) {
    return logical.streams().contains(sessions)
        && logical.orders().of(sessions.getInput()).fields().get(sessions.timeKey()).monotonicity().increasing();
  }
}
