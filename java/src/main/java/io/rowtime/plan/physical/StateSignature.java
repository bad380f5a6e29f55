package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.operator.spec.StateLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/**
 * Describes what the saved state of a node means: the node's own fields, the columns that it stores, and everything below
 * it. Spark identifies state by the position of its operator among the stateful operators, and reads it with the columns
 * with which it was written: a node with another signature cannot continue from it. Each part is a short text with a word
 * for it, so that a message can say what differs.
 */
final class StateSignature {
  /** The version of the normal form. A signature of another version cannot be compared. */
  private static final int FORM = 1;
  private static final int LIMIT = 120;

  private StateSignature() {}

  /** Returns null for a node without state. */
  static JsonNode of(ObjectNode node, PlanMeaning meanings) {
    if (!node.get("streaming").booleanValue()) {
      return null;
    }
    return switch (PlanOperator.of(node)) {
      // State of Spark's aggregation, and a file with the largest values so far.
      case AGGREGATE, LATENESS -> signature(node, meanings, false);
      case GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, SESSION, UNION, SORT, INTERVAL_JOIN, TEMPORAL_JOIN, PROCESS, WINDOW, TOP_N ->
          signature(node, meanings, true);
      case SCAN, VALUES, FILTER, PROJECT, JOIN, LOOKUP_JOIN, SEARCH_KEY, HOP, UNNEST, SAMPLE, RECURSE, RECURSIVE, SETOP, UNSUPPORTED ->
          null;
    };
  }

  /** @param own whether it is one of rowtime's own operators, which define their own state layout */
  private static ObjectNode signature(ObjectNode node, PlanMeaning meanings, boolean own) {
    ObjectNode signature = JsonNodeFactory.instance.objectNode().put("op", node.get("op").textValue());
    if (own) {
      signature.put("layout", StateLayout.VERSION);
    }
    signature.put("form", FORM);
    NodeMeaning meaning = meanings.node(node);
    ObjectNode parts = signature.putObject("parts");
    for (Map.Entry<String, String> part : meaning.parts().entrySet()) {
      parts.put(part.getKey(), Digest.shorten(part.getValue(), LIMIT));
    }
    List<String> stored = new ArrayList<>(StateOrder.columns(node, meanings));
    List<String> clocks = new ArrayList<>(List.of(node.get("clock").toString()));
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < node.get("inputs").size(); i++) {
      JsonNode input = node.get("inputs").get(i);
      NodeMeaning below = meanings.node(input);
      clocks.add(input.path("clock").toString());
      rows.add(below.rows());
      if (PlanOperator.of(node) == PlanOperator.PROCESS) {
        stored.add(PlanMeaning.named(node, below));
      }
    }
    // In the order of what is most likely to say something to a reader.
    parts.put("sources", text(meaning.sources()));
    parts.put("conditions", text(meaning.conditionsBelow()));
    parts.put("columns", Digest.shorten(String.join(", ", stored), LIMIT));
    parts.put("clock of the query", Digest.shorten(String.join(" ", clocks), LIMIT));
    parts.put("rows below", Digest.shorten(String.join(", ", rows), LIMIT));
    ArrayNode functions = signature.putArray("functions");
    meaning.functions().forEach(functions::add);
    if (PlanOperator.of(node) == PlanOperator.PROCESS) {
      functions.add(node.get("language").textValue() + " " + node.get("body").textValue());
    }
    return signature;
  }

  private static String text(SortedSet<String> parts) {
    return Digest.shorten(String.join(", ", parts), LIMIT);
  }
}
