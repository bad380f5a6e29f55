package io.rowtime.plan.execution;

import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.PlanNode;

/** Decides how rowtime's operators compute nodes. */
public final class Executions {
  private Executions() {}

  /** Returns how an operator of rowtime's computes a node; null if Spark does. */
  public static Execution of(PlanNode node, NodeProperties properties) {
    return switch (node.kind()) {
      case GROUP_AGGREGATE -> new GroupExecutions(node, properties).groups();
      case SESSION_AGGREGATE -> new GroupExecutions(node, properties).sessions();
      case HOP_AGGREGATE -> new GroupExecutions(node, properties).windows();
      case SCAN, VALUES, FILTER, PROJECT, AGGREGATE, UNION, SORT, JOIN, INTERVAL_JOIN, TEMPORAL_JOIN, LOOKUP_JOIN, SEARCH_KEY, HOP, SESSION, UNNEST,
          PROCESS, SAMPLE, RECURSE, RECURSIVE, LATENESS, SETOP, WINDOW, TOP_N, UNSUPPORTED -> null;
    };
  }
}
