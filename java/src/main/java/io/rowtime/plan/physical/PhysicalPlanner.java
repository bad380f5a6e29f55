package io.rowtime.plan.physical;

import io.rowtime.plan.origin.Origins;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalAggregate;

/** Splits a streaming plan into the steps in which it is carried out: GROUP BY HOP goes by way of panes. */
public final class PhysicalPlanner {
  private PhysicalPlanner() {}

  public static RelNode plan(RelNode rel, Origins origins) {
    return origins.rewrite(rel, node -> node instanceof LogicalAggregate aggregate ? HopPanes.of(aggregate) : node);
  }
}
