package io.rowtime.plan.execution;

import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PhysicalNode;
import io.rowtime.plan.node.PlanNode;
import java.util.List;

/** Decides how rowtime's operators compute nodes. */
public final class Executions {
  private Executions() {}

  /** Returns how operators of rowtime's compute a node of a query that can run; null if Spark does. */
  public static Execution of(PlanNode node, NodeProperties properties, List<PhysicalNode> inputs) {
    boolean computes = switch (node.kind().computedBy()) {
      case SPARK -> false;
      case WAITING_OPERATOR -> node.streaming() && node.inputs().stream().allMatch(input -> input.clock() != null);
      case IMMEDIATE_OPERATOR -> node.streaming();
      case ANY_OPERATOR -> true;
    };
    if (!computes) {
      return null;
    }
    return switch (node.kind()) {
      case GROUP_AGGREGATE -> new GroupExecutions(node, properties).groups();
      case SESSION_AGGREGATE -> new GroupExecutions(node, properties).sessions();
      case HOP_AGGREGATE -> new GroupExecutions(node, properties).windows();
      case UPDATING_AGGREGATE -> new GroupExecutions(node, properties).updates();
      case TO_CHANGELOG -> ChangelogExecution.of(node);
      case FROM_CHANGELOG -> AppliedChanges.of(node, properties);
      case WINDOW -> isComputed((Operator.Window) node.operator()) ? new WindowExecutions(node, properties).windows() : null;
      case TOP_N -> new RowExecutions(node, properties).firstRows();
      case UPDATING_TOP_N -> FirstRowsExecution.of(node, properties);
      case TEMPORAL_FILTER -> TemporalFilterExecution.of(node, properties);
      case UPDATING_OVER -> UpdatingOverExecution.of(node, properties);
      case SESSION -> new RowExecutions(node, properties).sessions();
      case INTERVAL_JOIN -> new JoinExecutions(node, properties, inputs).intervals();
      case UPDATING_JOIN -> new JoinExecutions(node, properties, inputs).updates();
      case TEMPORAL_JOIN -> new JoinExecutions(node, properties, inputs).versions();
      case PROCESS -> ProcessExecution.of(node, properties);
      case SEARCH_KEY -> new SearchExecution(node, properties).execution();
      default -> throw new IllegalStateException("Nothing computes " + node.kind());
    };
  }

  /** Returns whether an operator can compute all calls of the windows. */
  private static boolean isComputed(Operator.Window window) {
    return !window.passes().isEmpty() && window.windows().stream().allMatch(each -> each.operator() != null);
  }
}
