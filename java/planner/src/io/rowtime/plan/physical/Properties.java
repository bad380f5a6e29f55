package io.rowtime.plan.physical;

import io.rowtime.plan.execution.Executions;
import io.rowtime.plan.meaning.PlanMeaning;
import io.rowtime.plan.meaning.StateNames;
import io.rowtime.plan.meaning.StateOrder;
import io.rowtime.plan.meaning.StateSignatures;
import io.rowtime.plan.node.ChangeModes;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.NodeProperties.Need;
import io.rowtime.plan.node.PhysicalNode;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.progress.StateBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Completes a plan with what follows from the nodes around each node: how its rows change earlier ones, what it needs from the
 * engine, what its saved state depends on, in which order its rows come, which columns it reads, and which rows are unique.
 */
public final class Properties {
  private final PlanMeaning meanings;
  private final Map<PlanNode, String> stateNames;
  private final Map<PlanNode, ArrivalOrder.Found> orders;
  private final Map<PlanNode, List<List<Integer>>> reads;
  private final boolean runs;
  private int nextId = 1;

  private Properties(PlanMeaning.Plan plan, boolean runs) {
    this.runs = runs;
    this.meanings = plan.meanings();
    this.stateNames = StateNames.of(plan);
    this.orders = ArrivalOrder.of(plan.root());
    this.reads = ReadColumns.of(plan.root());
  }

  /**
   * Returns the complete plan. Its nodes are numbered from the sources to the result.
   *
   * @param runs whether all of the plan can run; if not, it is only shown
   */
  public static PhysicalNode complete(PlanMeaning.Plan plan, boolean runs) {
    return new Properties(plan, runs).node(plan.root());
  }

  private PhysicalNode node(PlanNode node) {
    List<PhysicalNode> inputs = new ArrayList<>();
    node.inputs().forEach(input -> inputs.add(node(input)));
    List<List<Integer>> read = StateOrder.reads(node, reads.get(node), meanings);
    List<List<Integer>> stored = StateOrder.stored(node, meanings);
    ArrivalOrder.Found order = orders.get(node);
    Set<Need> needs = node.streaming() ? node.operator().needs() : Set.of();
    if (needs.contains(Need.STATE_STORE) && node.state() == StateBounds.SEPARATE_ROWS) {
      throw new IllegalStateException("How much state " + node.kind() + " keeps is not defined");
    }
    NodeProperties properties = new NodeProperties(nextId++, ChangeModes.of(node), needs, isSorted(node, inputs), order.inOrder(), order.ordersHold(),
        UniqueRows.of(node), order.arrivals(), read, stored, StateSignatures.of(node, stored, read, meanings), stateNames.get(node));
    return new PhysicalNode(node, properties, runs ? Executions.of(node, properties, inputs) : null, inputs);
  }

  /** Returns whether rows have the order of an ORDER BY. */
  private static boolean isSorted(PlanNode node, List<PhysicalNode> inputs) {
    return switch (node.kind()) {
      case SORT -> true;
      case PROJECT, FILTER -> inputs.get(0).properties().sorted();
      default -> false;
    };
  }
}
