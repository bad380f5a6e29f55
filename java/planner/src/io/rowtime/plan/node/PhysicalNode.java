package io.rowtime.plan.node;

import java.util.List;

/**
 * A node of a complete plan.
 *
 * @param execution how one of rowtime's operators computes it; null if Spark does
 */
public record PhysicalNode(PlanNode node, NodeProperties properties, Execution execution, List<PhysicalNode> inputs) {
  /**
   * Returns the number of the scan whose bounds are also those of the node, because no operator between them delays rows; null
   * if there is none.
   */
  public Integer boundSource() {
    return switch (node.kind()) {
      case PROJECT, FILTER, HOP -> inputs.get(0).boundSource();
      case SCAN -> ((Operator.Scan) node.operator()).hasOwnBound() ? properties.id() : null;
      default -> null;
    };
  }
}
