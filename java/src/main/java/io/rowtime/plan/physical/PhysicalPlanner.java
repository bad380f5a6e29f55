package io.rowtime.plan.physical;

import io.rowtime.plan.ClockChoice;
import io.rowtime.plan.Planned;
import io.rowtime.plan.monotone.Streams;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalAggregate;

/** Splits a checked plan into the steps in which it is carried out. To be applied once, when the plan is written. */
public final class PhysicalPlanner {
  private PhysicalPlanner() {}

  public static Planned plan(Planned logical) {
    if (!logical.streaming()) {
      return logical;
    }
    RelNode plan = logical.origins().rewrite(logical.rel(),
        rel -> rel instanceof LogicalAggregate aggregate ? HopPanes.of(aggregate) : rel);
    if (plan == logical.rel()) {
      return logical;
    }
    Streams streams = Streams.of(plan, true);
    return new Planned(plan, true, streams, ClockChoice.orders(plan, streams), logical.origins(), logical.warnings());
  }
}
