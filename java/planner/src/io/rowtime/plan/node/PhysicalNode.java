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
      case VALUES, AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, UPDATING_AGGREGATE, TO_CHANGELOG, FROM_CHANGELOG, UNION, SORT, JOIN, INTERVAL_JOIN, UPDATING_JOIN, LOOKUP_JOIN,
          SEARCH_KEY, TEMPORAL_JOIN, SESSION, UNNEST, PROCESS, SAMPLE, RECURSE, RECURSIVE, LATENESS, SETOP, WINDOW, TOP_N, UPDATING_TOP_N, UPDATING_OVER, TEMPORAL_FILTER, UNSUPPORTED -> null;
    };
  }
}
