package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.operator.spec.StateLayout;
import java.util.List;

/**
 * Describes what the saved state of a node depends on. Spark identifies state by the position of its operator among the
 * stateful operators, and reads it with the columns with which it was written: a node with another signature cannot
 * continue from it.
 */
final class StateSignature {
  private static final List<String> AGGREGATE = List.of("sets", "session", "calls", "closes", "combines");
  private static final List<String> HOP = List.of("late", "slide", "size", "offset", "calls", "combines");
  private static final List<String> SESSION = List.of("time", "keys", "gap", "closes");
  private static final List<String> PROCESS = List.of("language", "partition", "time");
  private static final List<String> WINDOW = List.of("partition", "order", "frame", "calls");
  private static final List<String> PASS = List.of("windows", "closes");
  private static final List<String> TOP_N = List.of("partition", "order", "function", "limit", "closes");

  private static final List<String> JOIN = List.of("joinType", "leftInterval", "rightInterval", "leftDistinct", "rightDistinct",
      "leftTime", "rightTime", "shift", "inclusive", "identity", "oneTask", "leftKeys", "rightKeys", "condition");

  private StateSignature() {}

  /** Returns null for a node without state. */
  static JsonNode of(ObjectNode node) {
    if (!node.get("streaming").booleanValue()) {
      return null;
    }
    return switch (PlanOperator.of(node)) {
      // State of Spark's aggregation, and a file with the largest values so far.
      case AGGREGATE -> signature(node, types(node, node.get("keys")), AGGREGATE);
      case LATENESS -> signature(node, types(node, indexes(node.get("columns"))), List.of());
      // State contains the keys and partial results, not the rows.
      case GROUP_AGGREGATE, SESSION_AGGREGATE -> ofOwnOperator(node, types(node, node.get("keys")), AGGREGATE);
      case HOP_AGGREGATE -> ofOwnOperator(node, types(node, node.get("keys")), HOP);
      case SESSION -> ofOwnOperator(node, types(node), SESSION);
      case UNION, SORT -> ofOwnOperator(node, types(node), List.of());
      case INTERVAL_JOIN, TEMPORAL_JOIN -> {
        ObjectNode kept = ofOwnOperator(node, types(node).addAll(types(node.get("inputs").get(1).get("fields"))), JOIN);
        // The state above this node depends on the clock of the query.
        kept.set("clock", node.get("clock"));
        if (node.hasNonNull("within")) {
          kept.set("within", node.get("within"));
        }
        yield kept;
      }
      // Rows are buffered before and after it; its own state describes itself.
      case PROCESS -> ofOwnOperator(node, types(node).addAll(types(node.get("fields"))), PROCESS);
      case WINDOW -> {
        ObjectNode kept = ofOwnOperator(node, types(node), List.of());
        kept.set("windows", each(node.get("windows"), WINDOW));
        yield kept.set("passes", each(node.get("passes"), PASS));
      }
      case TOP_N -> ofOwnOperator(node, types(node), TOP_N);
      case SCAN, VALUES, FILTER, PROJECT, JOIN, LOOKUP_JOIN, SEARCH_KEY, HOP, UNNEST, SAMPLE, RECURSE, RECURSIVE, SETOP, UNSUPPORTED ->
          null;
    };
  }

  private static ObjectNode signature(ObjectNode node, ArrayNode columns, List<String> fields) {
    return complete(JsonNodeFactory.instance.objectNode().set("op", node.get("op")), node, columns, fields);
  }

  /** Returns the signature of one of rowtime's own operators, which defines its own state layout. */
  private static ObjectNode ofOwnOperator(ObjectNode node, ArrayNode columns, List<String> fields) {
    ObjectNode kept = JsonNodeFactory.instance.objectNode().set("op", node.get("op"));
    return complete(kept.put("layout", StateLayout.VERSION), node, columns, fields);
  }

  private static ObjectNode complete(ObjectNode kept, ObjectNode node, ArrayNode columns, List<String> fields) {
    kept.set("columns", columns);
    return copy(kept, node, fields);
  }

  private static ObjectNode copy(ObjectNode kept, JsonNode from, List<String> fields) {
    fields.stream().filter(from::has).forEach(field -> kept.set(field, from.get(field)));
    return kept;
  }

  /** Some fields of each part of a node. */
  private static ArrayNode each(JsonNode parts, List<String> fields) {
    ArrayNode kept = JsonNodeFactory.instance.arrayNode();
    parts.forEach(part -> kept.add(copy(JsonNodeFactory.instance.objectNode(), part, fields)));
    return kept;
  }

  private static ArrayNode indexes(JsonNode columns) {
    ArrayNode indexes = JsonNodeFactory.instance.arrayNode();
    columns.forEach(column -> indexes.add(column.get("index")));
    return indexes;
  }

  /** Returns the types of all columns of the first input. */
  private static ArrayNode types(ObjectNode node) {
    return types(fields(node));
  }

  private static ArrayNode types(JsonNode fields) {
    ArrayNode types = JsonNodeFactory.instance.arrayNode();
    fields.forEach(field -> types.add(field.get("type")));
    return types;
  }

  /** Returns the types of some columns of the input; anything that is not a column is returned as it is. */
  private static ArrayNode types(ObjectNode node, JsonNode columns) {
    ArrayNode types = JsonNodeFactory.instance.arrayNode();
    columns.forEach(column -> types.add(column.isInt() ? fields(node).get(column.intValue()).get("type") : column));
    return types;
  }

  private static JsonNode fields(ObjectNode node) {
    return node.get("inputs").get(0).get("fields");
  }
}
