package io.rowtime.plan.node;

import io.rowtime.plan.node.NodeProperties.ChangeMode;

/** How the rows of nodes change earlier ones. */
public final class ChangeModes {
  private ChangeModes() {}

  public static ChangeMode of(PlanNode node) {
    return switch (node.kind()) {
      case UPDATING_AGGREGATE, UPDATING_TOP_N, UPDATING_OVER, TEMPORAL_FILTER, FROM_CHANGELOG -> ChangeMode.RETRACT;
      case SCAN -> ((Operator.Scan) node.operator()).mode() == Operator.Scan.Mode.CHANGES ? ChangeMode.RETRACT : ChangeMode.APPEND;
      case UPDATING_JOIN -> ((Operator.UpdatingJoin) node.operator()).onlyAdds() ? ofInputs(node) : ChangeMode.RETRACT;
      // Each row by itself: a row that is retracted has become what it became when it was added.
      case PROJECT, FILTER -> of(node.input(0));
      case UNION -> ofInputs(node);
      // A row is final when it is emitted: these operators wait until nothing can change it.
      case AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, TO_CHANGELOG, SORT, INTERVAL_JOIN,
          LOOKUP_JOIN, SEARCH_KEY, TEMPORAL_JOIN, HOP, SESSION, UNNEST, PROCESS, LATENESS, WINDOW, TOP_N -> ChangeMode.APPEND;
      // These read relations, whose rows are emitted once, or are refused.
      case VALUES, JOIN, SAMPLE, RECURSE, RECURSIVE, SETOP, UNSUPPORTED -> ChangeMode.APPEND;
    };
  }

  private static ChangeMode ofInputs(PlanNode node) {
    return node.inputs().stream().anyMatch(ChangeModes::retracts) ? ChangeMode.RETRACT : ChangeMode.APPEND;
  }

  /** Returns whether rows of a node can be retracted. */
  public static boolean retracts(PlanNode node) {
    return of(node) != ChangeMode.APPEND;
  }

  /** Returns whether an operator takes rows that are retracted. */
  public static boolean takesRetractions(PlanOperator kind) {
    return switch (kind) {
      case UPDATING_AGGREGATE, UPDATING_JOIN, UPDATING_TOP_N, UPDATING_OVER, TEMPORAL_FILTER, TO_CHANGELOG, FROM_CHANGELOG, PROJECT, FILTER, UNION -> true;
      case SCAN, VALUES, AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, SORT, JOIN, INTERVAL_JOIN, LOOKUP_JOIN,
          SEARCH_KEY, TEMPORAL_JOIN, HOP, SESSION, UNNEST, PROCESS, SAMPLE, RECURSE, RECURSIVE, LATENESS, SETOP, WINDOW, TOP_N,
          UNSUPPORTED -> false;
    };
  }
}
