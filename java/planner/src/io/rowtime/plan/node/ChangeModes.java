package io.rowtime.plan.node;

import io.rowtime.plan.node.NodeProperties.ChangeMode;

/** How the rows of nodes change earlier ones. */
public final class ChangeModes {
  private ChangeModes() {}

  public static ChangeMode of(PlanNode node) {
    return retracts(node) ? ChangeMode.RETRACT : ChangeMode.APPEND;
  }

  /** Returns whether rows of a node can be retracted. */
  public static boolean retracts(PlanNode node) {
    return switch (node.operator().changes()) {
      case NONE -> false;
      case OF_INPUTS -> node.inputs().stream().anyMatch(ChangeModes::retracts);
      case RETRACTS -> true;
    };
  }
}
