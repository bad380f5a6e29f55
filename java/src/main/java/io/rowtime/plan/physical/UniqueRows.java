package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.IntStream;

/**
 * Determines which columns of a node have the same values in a limited number of its rows: those of a GROUP BY in one,
 * the partition of a Top-N in as many as it returns. Each row counts once, in whichever micro-batch it is emitted.
 */
final class UniqueRows {
  private UniqueRows() {}

  /** Adds the claims of a node to {@code unique}. */
  static void write(ObjectNode node, ArrayNode unique) {
    switch (PlanOperator.of(node)) {
      case AGGREGATE, GROUP_AGGREGATE -> {
        // With GROUPING SETS, a NULL of the input and the one of a key that is not in the set are alike.
        if (node.get("sets").isNull()) {
          add(unique, 1, node.get("keys").size());
        }
      }
      case SESSION_AGGREGATE -> add(unique, 1, node.get("keys").size());
      case HOP_AGGREGATE -> {
        boolean ofWindow = false;
        for (JsonNode key : node.get("keys")) {
          ofWindow |= key.isTextual();
        }
        if (ofWindow) {
          add(unique, 1, node.get("keys").size());
        }
      }
      case TOP_N -> {
        // Other ranks have ties.
        if (node.get("function").textValue().equals("ROW_NUMBER")) {
          unique.addObject().put("rows", node.get("limit").longValue()).set("fields", node.get("partition").deepCopy());
        }
      }
      case WINDOW -> rowNumbers(node, unique);
      case UNION, SETOP, RECURSE -> {
        if (!node.get("all").booleanValue()) {
          add(unique, 1, node.get("fields").size());
        }
      }
      case SCAN, VALUES, FILTER, PROJECT, SORT, JOIN, INTERVAL_JOIN, LOOKUP_JOIN, SEARCH_KEY, TEMPORAL_JOIN, HOP, SESSION, UNNEST,
          PROCESS, SAMPLE, RECURSIVE, LATENESS, UNSUPPORTED -> { }
    }
  }

  /** No two rows of a partition have the same ROW_NUMBER. */
  private static void rowNumbers(ObjectNode node, ArrayNode unique) {
    int field = node.get("inputs").get(0).get("fields").size();
    for (JsonNode window : node.get("windows")) {
      for (JsonNode call : window.get("calls")) {
        if (call.get("function").textValue().equals("ROW_NUMBER")) {
          ArrayNode fields = window.get("partition").deepCopy();
          unique.addObject().put("rows", 1).set("fields", fields.add(field));
        }
        field++;
      }
    }
  }

  private static void add(ArrayNode unique, long rows, int first) {
    ArrayNode fields = unique.addObject().put("rows", rows).putArray("fields");
    IntStream.range(0, first).forEach(fields::add);
  }
}
