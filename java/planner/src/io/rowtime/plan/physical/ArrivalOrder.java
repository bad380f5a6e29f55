package io.rowtime.plan.physical;

import io.rowtime.plan.node.Arrival;
import io.rowtime.plan.node.Column;
import io.rowtime.plan.node.NodeProperties.When;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.OverWindow;
import io.rowtime.plan.node.PlanNode;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The order in which each node emits rows, from one micro-batch to the next, and what the operators above may conclude from it.
 * Whether the result must be in order is known only when a query starts, so the plan contains both cases.
 */
final class ArrivalOrder {
  /** The order of a micro-batch's rows relative to those of earlier ones. */
  private enum Order {
    /** No ROWTIME is below an earlier one. */
    IN_ORDER,
    /** The order of the source, which may limit how late rows are. */
    LIMITED,
    /** Some rows have waited in an operator, others have not. */
    MIXED
  }

  /**
   * What has been found of a node.
   *
   * @param inOrder when no ROWTIME is below an earlier one
   * @param ordersHold when no rows overtake others that wait, which would break the order of every column
   */
  record Found(When inOrder, When ordersHold, List<Arrival.Cases> arrivals) {}

  /** The rows that a node emits, and how rows arrive at it (null for a relation), in one of the cases. */
  private record Rows(Order order, List<Arrival> arrivals) {
    Rows(Order order) {
      this(order, List.of());
    }

    Rows withOrder(Order other) {
      return new Rows(other, arrivals);
    }
  }

  /** The case: whether the result must be in order. */
  private final boolean ordered;

  private ArrivalOrder(boolean ordered) {
    this.ordered = ordered;
  }

  static Map<PlanNode, Found> of(PlanNode root) {
    Map<PlanNode, Rows> ordered = new IdentityHashMap<>();
    new ArrivalOrder(true).visit(root, ordered);
    Map<PlanNode, Rows> unordered = new IdentityHashMap<>();
    new ArrivalOrder(false).visit(root, unordered);
    Map<PlanNode, Found> found = new IdentityHashMap<>();
    ordered.forEach((node, rows) -> found.put(node, found(rows, unordered.get(node))));
    return found;
  }

  private static Found found(Rows ordered, Rows unordered) {
    When inOrder = unordered.order == Order.IN_ORDER ? When.ALWAYS : ordered.order == Order.IN_ORDER ? When.ORDERED : When.NEVER;
    // Rows that did not wait overtake those that did, in every column.
    When kept = unordered.order != Order.MIXED ? When.ALWAYS : ordered.order != Order.MIXED ? When.ORDERED : When.NEVER;
    return new Found(inOrder, kept, unordered.arrivals == null ? null : IntStream.range(0, ordered.arrivals.size())
        .mapToObj(i -> new Arrival.Cases(ordered.arrivals.get(i), unordered.arrivals.get(i))).toList());
  }

  private Rows visit(PlanNode node, Map<PlanNode, Rows> all) {
    List<Order> inputs = node.inputs().stream().map(input -> visit(input, all).order).toList();
    Rows rows = emitted(node, inputs);
    rows = rows.withOrder(of(node, rows.order));
    all.put(node, rows);
    return rows;
  }

  /** Returns the order of a node's rows. They are not in order of a ROWTIME whose values go back. */
  private static Order of(PlanNode node, Order order) {
    Column rowtime = node.rowtimeColumn();
    return order != Order.IN_ORDER || rowtime == null || !node.streaming() || Long.valueOf(0).equals(rowtime.knownDisorder()) ? order
        : rowtime.knownDisorder() == null ? Order.MIXED : Order.LIMITED;
  }

  private Rows emitted(PlanNode node, List<Order> inputs) {
    return switch (node.kind()) {
      case SCAN -> new Rows(((Operator.Scan) node.operator()).inOrder() ? Order.IN_ORDER : Order.LIMITED);
      // Another column may be the clock of the query from here on.
      case LATENESS -> new Rows(((Operator.Lateness) node.operator()).bound() == null ? inputs.get(0) : Order.LIMITED);
      case LOOKUP_JOIN -> new Rows(inputs.get(((Operator.LookupJoin) node.operator()).stream() == Operator.Side.LEFT ? 0 : 1));
      case GROUP_AGGREGATE -> grouped(!((Operator.GroupAggregate) node.operator()).partition().isEmpty(), inputs.get(0) != Order.IN_ORDER,
          maxDisorder(node, 0, inputs));
      case HOP_AGGREGATE -> {
        Operator.HopAggregate windows = (Operator.HopAggregate) node.operator();
        yield grouped(windows.keys().stream().anyMatch(Operator.HopKey::isColumn), inputs.get(0) != Order.IN_ORDER,
            maxDisorder(node.input(0), windows.pane(), inputs.get(0)));
      }
      case SESSION_AGGREGATE -> sessions(node, ((Operator.SessionAggregate) node.operator()).keys().size() > 1, inputs);
      case SESSION -> node.streaming() ? sessions(node, !((Operator.Session) node.operator()).keys().isEmpty(), inputs) : new Rows(Order.IN_ORDER, null);
      case TOP_N -> new Rows(ordered ? Order.IN_ORDER : Order.MIXED,
          List.of(new Arrival(inputs.get(0) != Order.IN_ORDER, ordered ? null : maxDisorder(node, 0, inputs), !ordered)));
      case INTERVAL_JOIN, TEMPORAL_JOIN -> new Rows(ordered ? Order.IN_ORDER : Order.MIXED, ofBoth(node, inputs, !ordered));
      case UPDATING_JOIN -> new Rows(Order.IN_ORDER, ofBoth(node, inputs, true));
      case PROCESS -> {
        boolean disordered = inputs.get(0) != Order.IN_ORDER;
        // Only the watermark decides when its rows are emitted.
        yield new Rows(Order.IN_ORDER, List.of(new Arrival(disordered, disordered ? null : 0L, false)));
      }
      case WINDOW -> {
        Operator.Window window = (Operator.Window) node.operator();
        Order order = inputs.get(0);
        List<Arrival> arrivals = new ArrayList<>();
        int last = window.passes().size() - 1;
        for (int i = 0; i <= last; i++) {
          // The input of a further pass must be in order.
          order = new ArrivalOrder(ordered || i < last).pass(window, window.passes().get(i), node.input(0), order, arrivals);
        }
        yield new Rows(order, arrivals);
      }
      case UNION -> new Rows(((Operator.Union) node.operator()).merges() || !node.streaming() ? Order.IN_ORDER : Order.MIXED);
      case UPDATING_AGGREGATE -> renewed(((Operator.UpdatingAggregate) node.operator()).ttl(), node, inputs);
      case UPDATING_TOP_N -> renewed(((Operator.UpdatingTopN) node.operator()).ttl(), node, inputs);
      default -> new Rows(switch (node.kind().order()) {
        case OF_INPUT -> inputs.get(0);
        case BY_ROWTIME -> Order.IN_ORDER;
        case DECIDED -> throw new IllegalStateException("The order in which " + node.kind() + " emits rows is not decided");
      });
    };
  }

  /** Returns how rows of both inputs arrive at a join. */
  private static List<Arrival> ofBoth(PlanNode node, List<Order> inputs, boolean early) {
    return IntStream.range(0, 2).mapToObj(i -> new Arrival(inputs.get(i) != Order.IN_ORDER, maxDisorder(node, i, inputs), early)).toList();
  }

  /** Groups that begin anew take their rows in order of time. */
  private Rows renewed(Long ttl, PlanNode node, List<Order> inputs) {
    return new Rows(Order.IN_ORDER, ttl == null ? List.of() : List.of(new Arrival(inputs.get(0) != Order.IN_ORDER, maxDisorder(node, 0, inputs), true)));
  }

  /** @param parted whether the rows are in several tasks, each of which proves its own bound */
  private Rows grouped(boolean parted, boolean disordered, Long maxDisorder) {
    boolean early = !parted || !ordered;
    return new Rows(early && parted ? Order.MIXED : Order.IN_ORDER, List.of(new Arrival(disordered, maxDisorder, early)));
  }

  /**
   * A row that starts a session ends the one before it. If sessions of several tasks have to be in order, rows therefore
   * wait for the watermark.
   */
  private Rows sessions(PlanNode node, boolean parted, List<Order> inputs) {
    boolean alone = !parted || !ordered;
    return grouped(parted, inputs.get(0) != Order.IN_ORDER || !alone, alone ? maxDisorder(node, 0, inputs) : null);
  }

  /** Adds how rows arrive at a pass, and returns the order in which it emits them. */
  private Order pass(Operator.Window window, OverWindow.Pass pass, PlanNode input, Order in, List<Arrival> arrivals) {
    boolean parted = !window.windows().get(pass.windows().get(0)).partition().isEmpty();
    boolean byRowtime = pass.time() == null || pass.time().clock() != null;
    boolean alone = !parted || !ordered;
    boolean straight = straight(input, pass.time(), in);
    boolean disordered = byRowtime && !(straight && (alone || !pass.waits()));
    Long maxDisorder = !disordered ? Long.valueOf(0) : !alone ? null
        : pass.time() == null ? maxDisorder(input, in) : maxDisorder(input, pass.time().index(), in);
    arrivals.add(new Arrival(disordered, maxDisorder, alone));
    if (!byRowtime) {
      return in;
    }
    boolean mixes = (!straight || pass.waits()) && parted && !ordered;
    boolean byRows = parted && pass.waitsForRows();
    // A row waits until a time derived from ROWTIME is over, so it is emitted with later rows.
    boolean coarsely = !straight && pass.time() != null;
    return mixes || byRows || coarsely ? Order.MIXED : Order.IN_ORDER;
  }

  /**
   * Returns whether no row is below an earlier one in the time by which a pass orders. Rows in order of ROWTIME may be out of
   * order in a time that follows from it: {@code window_start} of overlapping windows goes back within every slide.
   */
  private static boolean straight(PlanNode input, OverWindow.PassTime time, Order order) {
    return order == Order.IN_ORDER && (time == null || Long.valueOf(0).equals(input.columns().get(time.index()).knownDisorder()));
  }

  /** Returns by how many milliseconds rows of later micro-batches may be earlier than rows that have arrived; null if unknown. */
  private static Long maxDisorder(PlanNode node, int input, List<Order> inputs) {
    return maxDisorder(node.input(input), inputs.get(input));
  }

  private static Long maxDisorder(PlanNode input, Order order) {
    Column rowtime = input.rowtimeColumn();
    return order == Order.IN_ORDER ? Long.valueOf(0) : order == Order.MIXED || rowtime == null ? null : rowtime.knownDisorder();
  }

  /** The same for values of a column that follows from ROWTIME. */
  private static Long maxDisorder(PlanNode input, int column, Order order) {
    return order == Order.MIXED ? null : input.columns().get(column).knownDisorder();
  }
}
