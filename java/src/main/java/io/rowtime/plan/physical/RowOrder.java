package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The order in which each node emits rows, from one micro-batch to the next, and what the operators above may conclude from it.
 * Whether the result must be in order is known only when a query starts, so the plan contains both cases.
 */
final class RowOrder {
  static final String ALWAYS = "ALWAYS";
  static final String NEVER = "NEVER";
  private static final String ORDERED = "ORDERED";

  /** The order of a micro-batch's rows relative to those of earlier ones. */
  private enum Order {
    /** No ROWTIME is below an earlier one. */
    IN_ORDER,
    /** The order of the source, which may limit how late rows are. */
    LIMITED,
    /** Some rows have waited in an operator, others have not. */
    MIXED
  }

  /** The case: whether the result must be in order. */
  private final boolean ordered;

  private RowOrder(boolean ordered) {
    this.ordered = ordered;
  }

  static void write(ObjectNode root) {
    visit(root);
  }

  /** Returns the order of the emitted rows for a result that must be in order, and for one that need not. */
  private static List<Order> visit(ObjectNode node) {
    List<List<Order>> inputs = new ArrayList<>();
    node.get("inputs").forEach(input -> inputs.add(visit((ObjectNode) input)));
    List<Order> out = new ArrayList<>();
    for (boolean ordered : new boolean[] {true, false}) {
      int which = ordered ? 0 : 1;
      out.add(new RowOrder(ordered).of(node, inputs.stream().map(each -> each.get(which)).toList()));
    }
    boolean always = out.get(1) == Order.IN_ORDER;
    node.put("inOrder", always ? ALWAYS : out.get(0) == Order.IN_ORDER ? ORDERED : NEVER);
    // Rows that did not wait overtake those that did, in every column.
    String kept = out.get(1) != Order.MIXED ? ALWAYS : out.get(0) != Order.MIXED ? ORDERED : NEVER;
    ((ObjectNode) node.get("claims")).put("ordersHold", kept);
    return out;
  }

  /** Returns the order of a node's rows. They are not in order of a ROWTIME whose values go back. */
  private Order of(ObjectNode node, List<Order> inputs) {
    Order order = emitted(node, inputs);
    JsonNode rowtime = rowtime(node);
    return order != Order.IN_ORDER || rowtime == null || !node.get("streaming").booleanValue() || Long.valueOf(0).equals(disorder(rowtime)) ? order
        : disorder(rowtime) == null ? Order.MIXED : Order.LIMITED;
  }

  private Order emitted(ObjectNode node, List<Order> inputs) {
    return switch (PlanOperator.of(node)) {
      case SCAN -> node.get("inOrder").textValue().equals(ALWAYS) ? Order.IN_ORDER : Order.LIMITED;
      case FILTER, PROJECT, SORT, HOP, UNNEST, SAMPLE, SEARCH_KEY -> inputs.get(0);
      // Another column may be the clock of the query from here on.
      case LATENESS -> node.get("bound").isNull() ? inputs.get(0) : Order.LIMITED;
      case LOOKUP_JOIN -> inputs.get(node.get("stream").textValue().equals("LEFT") ? 0 : 1);
      case GROUP_AGGREGATE -> {
        boolean parted = !node.get("partition").isEmpty();
        yield grouped(node, parted, inputs.get(0) != Order.IN_ORDER, maxDisorder(node, 0, inputs));
      }
      case HOP_AGGREGATE -> {
        boolean parted = false;
        for (JsonNode key : node.get("keys")) {
          parted |= key.isInt();
        }
        yield grouped(node, parted, inputs.get(0) != Order.IN_ORDER, maxDisorder(node.get("inputs").get(0), node.get("pane").intValue(), inputs.get(0)));
      }
      case SESSION_AGGREGATE -> sessions(node, node.get("keys").size() > 1, inputs);
      case SESSION -> node.get("streaming").booleanValue() ? sessions(node, !node.get("keys").isEmpty(), inputs) : relation(node);
      case TOP_N -> {
        arrival(node, "arrival", inputs.get(0) != Order.IN_ORDER, ordered ? null : maxDisorder(node, 0, inputs), !ordered);
        yield ordered ? Order.IN_ORDER : Order.MIXED;
      }
      case INTERVAL_JOIN, TEMPORAL_JOIN -> {
        arrival(node, "leftArrival", inputs.get(0) != Order.IN_ORDER, maxDisorder(node, 0, inputs), !ordered);
        arrival(node, "rightArrival", inputs.get(1) != Order.IN_ORDER, maxDisorder(node, 1, inputs), !ordered);
        yield ordered ? Order.IN_ORDER : Order.MIXED;
      }
      case PROCESS -> {
        boolean disordered = inputs.get(0) != Order.IN_ORDER;
        // Only the watermark decides when its rows are emitted.
        arrival(node, "arrival", disordered, disordered ? null : 0L, false);
        yield Order.IN_ORDER;
      }
      case WINDOW -> {
        Order order = inputs.get(0);
        int last = node.get("passes").size() - 1;
        for (int i = 0; i <= last; i++) {
          // The input of a further pass must be in order.
          order = new RowOrder(ordered || i < last).pass(node, (ObjectNode) node.get("passes").get(i), order, ordered);
        }
        yield order;
      }
      // Spark's aggregation and merges wait for the watermark; the order of relations does not matter.
      case AGGREGATE, UNION, VALUES, JOIN, SETOP, RECURSE, RECURSIVE, UNSUPPORTED -> Order.IN_ORDER;
    };
  }

  private static Order relation(ObjectNode node) {
    node.putNull("arrival");
    return Order.IN_ORDER;
  }

  /** @param parted whether the rows are in several tasks, each of which proves its own bound */
  private Order grouped(ObjectNode node, boolean parted, boolean disordered, Long maxDisorder) {
    boolean early = !parted || !ordered;
    arrival(node, "arrival", disordered, maxDisorder, early);
    return early && parted ? Order.MIXED : Order.IN_ORDER;
  }

  /**
   * A row that starts a session ends the one before it. If sessions of several tasks have to be in order, rows therefore
   * wait for the watermark.
   */
  private Order sessions(ObjectNode node, boolean parted, List<Order> inputs) {
    boolean alone = !parted || !ordered;
    return grouped(node, parted, inputs.get(0) != Order.IN_ORDER || !alone, alone ? maxDisorder(node, 0, inputs) : null);
  }

  /** @param asked whether the result must be in order */
  private Order pass(ObjectNode window, ObjectNode pass, Order in, boolean asked) {
    boolean parted = !window.get("windows").get(pass.get("windows").get(0).intValue()).get("partition").isEmpty();
    boolean waits = pass.get("waits").booleanValue();
    JsonNode time = pass.get("time");
    boolean byRowtime = time.isNull() || !time.get("clock").isNull();
    boolean alone = !parted || !ordered;
    boolean straight = in == Order.IN_ORDER;
    boolean disordered = byRowtime && !(straight && (alone || !waits));
    JsonNode input = window.get("inputs").get(0);
    Long maxDisorder = !disordered ? Long.valueOf(0) : !alone ? null
        : time.isNull() ? maxDisorder(input, in) : maxDisorder(input, time.get("index").intValue(), in);
    new RowOrder(asked).arrival(pass, "arrival", disordered, maxDisorder, alone);
    if (!byRowtime) {
      return in;
    }
    boolean mixes = (!straight || waits) && parted && !ordered;
    boolean byRows = parted && pass.get("waitsForRows").booleanValue();
    // A row waits until a time derived from ROWTIME is over, so it is emitted with later rows.
    boolean coarsely = !straight && !time.isNull();
    return mixes || byRows || coarsely ? Order.MIXED : Order.IN_ORDER;
  }

  private void arrival(ObjectNode node, String field, boolean disordered, Long maxDisorder, boolean early) {
    ObjectNode arrival = node.has(field) ? (ObjectNode) node.get(field) : node.putObject(field);
    arrival.putObject(ordered ? "ordered" : "unordered").put("disordered", disordered).put("maxDisorder", maxDisorder).put("early", early);
  }

  /** Returns by how many milliseconds rows of later micro-batches may be earlier than rows that have arrived; null if unknown. */
  private static Long maxDisorder(ObjectNode node, int input, List<Order> inputs) {
    return maxDisorder(node.get("inputs").get(input), inputs.get(input));
  }

  private static Long maxDisorder(JsonNode input, Order order) {
    return order == Order.IN_ORDER ? Long.valueOf(0) : order == Order.MIXED ? null : disorder(rowtime(input));
  }

  /** The same for values of a field that follows from ROWTIME. */
  private static Long maxDisorder(JsonNode input, int field, Order order) {
    return order == Order.IN_ORDER ? Long.valueOf(0) : order == Order.MIXED ? null : disorder(input.get("fields").get(field));
  }

  /** Returns the field with ROWTIME; null if there is none. */
  private static JsonNode rowtime(JsonNode node) {
    for (JsonNode field : node.get("fields")) {
      if (field.get("name").equals(node.get("rowtime"))) {
        return field;
      }
    }
    return null;
  }

  /** Returns how far values of a field may be behind earlier ones, in milliseconds; null if that is not known. */
  private static Long disorder(JsonNode field) {
    if (field == null || !field.get("monotonicity").textValue().endsWith("INCREASING")) {
      return null;
    }
    return field.has("disorder") ? Duration.parse(field.get("disorder").textValue()).toMillis() : 0;
  }
}
