package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.operator.spec.StateLayout;
import java.util.List;

/**
 * What the saved state of a node depends on. Spark finds state by the place of its operator among the operators with state, and
 * reads it by the columns that it was written with: a node with another signature cannot go on with it.
 */
final class StateSignature {
  private static final List<String> AGGREGATE = List.of("sets", "session", "calls", "closes", "combines");
  private static final List<String> HOP = List.of("late", "slide", "size", "offset", "calls", "combines");
  private static final List<String> SESSION = List.of("time", "keys", "gap", "closes");
  private static final List<String> PROCESS = List.of("language", "partition", "time");
  private static final List<String> WINDOW = List.of("partition", "order", "frame", "calls", "closes");
  private static final List<String> TOP_N = List.of("partition", "order", "function", "limit", "closes");

  private static final List<String> JOIN = List.of("joinType", "leftInterval", "rightInterval", "leftDistinct", "rightDistinct",
      "leftTime", "rightTime", "shift", "inclusive", "identity", "oneTask", "leftKeys", "rightKeys", "condition");

  private StateSignature() {}

  /** Null for a node without state. */
  static JsonNode of(ObjectNode node) {
    if (!node.get("streaming").booleanValue()) {
      return null;
    }
    return switch (PlanOperator.of(node)) {
      // Spark's, and a file of the largest values so far.
      case AGGREGATE -> signature(node, types(node, node.get("keys")), AGGREGATE);
      case LATENESS -> signature(node, types(node, indexes(node.get("columns"))), List.of());
      // The keys and the partial results, not the rows.
      case GROUP_AGGREGATE, SESSION_AGGREGATE -> own(node, types(node, node.get("keys")), AGGREGATE);
      case HOP_AGGREGATE -> own(node, types(node, node.get("keys")), HOP);
      case SESSION -> own(node, types(node), SESSION);
      case UNION, SORT -> own(node, types(node), List.of());
      case INTERVAL_JOIN, TEMPORAL_JOIN -> {
        ObjectNode kept = own(node, types(node).addAll(types(node.get("inputs").get(1).get("fields"))), JOIN);
        // What is kept above it goes by the clock of the query.
        kept.set("clock", node.get("clock"));
        yield kept;
      }
      // Rows wait before it and behind it; what it keeps itself says what it is.
      case PROCESS -> own(node, types(node).addAll(types(node.get("fields"))), PROCESS);
      case WINDOW -> own(node, types(node), WINDOW);
      case TOP_N -> own(node, types(node), TOP_N);
      case SCAN, VALUES, FILTER, PROJECT, JOIN, LOOKUP_JOIN, SEARCH_KEY, HOP, UNNEST, SAMPLE, RECURSE, RECURSIVE, SETOP, UNSUPPORTED ->
          null;
    };
  }

  private static ObjectNode signature(ObjectNode node, ArrayNode columns, List<String> fields) {
    return complete(JsonNodeFactory.instance.objectNode().set("op", node.get("op")), node, columns, fields);
  }

  /** That of an operator of rowtime's own, which lays out its state itself. */
  private static ObjectNode own(ObjectNode node, ArrayNode columns, List<String> fields) {
    ObjectNode kept = JsonNodeFactory.instance.objectNode().set("op", node.get("op"));
    return complete(kept.put("layout", StateLayout.VERSION), node, columns, fields);
  }

  private static ObjectNode complete(ObjectNode kept, ObjectNode node, ArrayNode columns, List<String> fields) {
    kept.set("columns", columns);
    fields.stream().filter(node::has).forEach(field -> kept.set(field, node.get(field)));
    return kept;
  }

  private static ArrayNode indexes(JsonNode columns) {
    ArrayNode indexes = JsonNodeFactory.instance.arrayNode();
    columns.forEach(column -> indexes.add(column.get("index")));
    return indexes;
  }

  /** The types of all columns of the first input. */
  private static ArrayNode types(ObjectNode node) {
    return types(fields(node));
  }

  private static ArrayNode types(JsonNode fields) {
    ArrayNode types = JsonNodeFactory.instance.arrayNode();
    fields.forEach(field -> types.add(field.get("type")));
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
