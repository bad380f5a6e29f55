package io.rowtime.plan.execution;

import io.rowtime.plan.node.PlanNode;

/** Which columns the rows of a node carry though they are not among its fields. */
final class CarriedColumns {
  private CarriedColumns() {}

  /** Returns whether the rows of a stream have a ROWTIME, listed or not. */
  static boolean hasRowtime(PlanNode node) {
    if (node.rowtimeIndex() >= 0) {
      return true;
    }
    return switch (node.kind()) {
      case SCAN, INTERVAL_JOIN, TEMPORAL_JOIN, SESSION, PROCESS, WINDOW, TOP_N -> true;
      case PROJECT, FILTER, SORT, HOP, UNNEST, LATENESS, SEARCH_KEY -> hasRowtime(node.input(0));
      case LOOKUP_JOIN -> node.inputs().stream().filter(PlanNode::streaming).allMatch(CarriedColumns::hasRowtime);
      case UNION -> node.inputs().stream().allMatch(CarriedColumns::hasRowtime);
      case AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE -> false;
      // These read relations, or are refused.
      case VALUES, JOIN, SAMPLE, RECURSE, RECURSIVE, SETOP, UNSUPPORTED -> false;
    };
  }
}
