package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.operator.spec.StateLayout;
import java.util.List;
import java.util.Set;

/**
 * What the saved state of a node depends on. Spark finds state by the place of its operator among the operators with state, and
 * reads it by the columns that it was written with: a node with another signature cannot go on with it.
 */
final class StateSignature {
  /** The operators of rowtime's own, which lay out their state themselves. */
  private static final Set<String> OWN =
      Set.of("group_aggregate", "session_aggregate", "session", "hop_aggregate", "union", "sort", "window", "interval_join",
          "temporal_join", "top_n", "process");
  private static final List<String> AGGREGATE = List.of("sets", "session", "calls", "closes", "combines");
  private static final List<String> HOP = List.of("late", "slide", "size", "offset", "calls", "combines");
  private static final List<String> SESSION = List.of("time", "keys", "gap", "closes");
  private static final List<String> PROCESS = List.of("language", "partition", "time");
  private static final List<String> WINDOW = List.of("partition", "order", "frame", "calls", "closes");
  private static final List<String> TOP_N = List.of("partition", "order", "function", "limit", "closes");

  private static final List<String> JOIN =
      List.of("joinType", "leftInterval", "rightInterval", "leftDistinct", "rightDistinct", "leftTime", "rightTime", "shift", "inclusive", "identity", "oneTask", "leftKeys", "rightKeys", "condition");

  private StateSignature() {}

  /** Null for a node without state. */
  static JsonNode of(ObjectNode node) {
    if (!node.get("streaming").booleanValue()) {
      return null;
    }
    return switch (node.get("op").textValue()) {
      // The keys and the partial results, not the rows.
      case "aggregate", "group_aggregate", "session_aggregate" -> signature(node, types(node, node.get("keys")), AGGREGATE);
      case "hop_aggregate" -> signature(node, types(node, node.get("keys")), HOP);
      case "session" -> signature(node, types(node), SESSION);
      case "union", "sort" -> signature(node, types(node), List.of());
      case "interval_join", "temporal_join" -> {
        ArrayNode columns = types(node);
        node.get("inputs").get(1).get("fields").forEach(field -> columns.add(field.get("type")));
        ObjectNode kept = signature(node, columns, JOIN);
        // What is kept above it goes by the clock of the query.
        kept.set("clock", node.get("clock"));
        yield kept;
      }
      // Rows wait before it and behind it; what it keeps itself says what it is.
      case "process" -> signature(node, types(node).addAll(own(node)), PROCESS);
      case "window" -> signature(node, types(node), WINDOW);
      case "top_n" -> signature(node, types(node), TOP_N);
      case "lateness" -> {
        ArrayNode columns = JsonNodeFactory.instance.arrayNode();
        node.get("columns").forEach(column -> columns.add(column.get("index")));
        yield signature(node, types(node, columns), List.of());
      }
      default -> null;
    };
  }

  private static ObjectNode signature(ObjectNode node, ArrayNode columns, List<String> fields) {
    ObjectNode kept = JsonNodeFactory.instance.objectNode();
    kept.set("op", node.get("op"));
    if (OWN.contains(node.get("op").textValue())) {
      kept.put("layout", StateLayout.VERSION);
    }
    kept.set("columns", columns);
    fields.stream().filter(node::has).forEach(field -> kept.set(field, node.get(field)));
    return kept;
  }

  /** The types of a node's own columns. */
  private static ArrayNode own(ObjectNode node) {
    ArrayNode types = JsonNodeFactory.instance.arrayNode();
    node.get("fields").forEach(field -> types.add(field.get("type")));
    return types;
  }

  /** The types of all columns of the first input. */
  private static ArrayNode types(ObjectNode node) {
    ArrayNode types = JsonNodeFactory.instance.arrayNode();
    fields(node).forEach(field -> types.add(field.get("type")));
    return types;
  }

  /** The types of some columns of the input; of what is not one of them, its own name. */
  private static ArrayNode types(ObjectNode node, JsonNode columns) {
    ArrayNode types = JsonNodeFactory.instance.arrayNode();
    columns.forEach(column -> types.add(column.isInt() ? fields(node).get(column.intValue()).get("type") : column));
    return types;
  }

  private static JsonNode fields(ObjectNode node) {
    return node.get("inputs").get(0).get("fields");
  }
}
