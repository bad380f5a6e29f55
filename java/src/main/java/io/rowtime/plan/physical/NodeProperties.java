package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * What each node of a written plan says of itself beside its operator: how its rows change what came before, what it needs
 * of the engine, what its saved state depends on, and which columns it reads.
 */
public final class NodeProperties {
  /** The clock of the sources, without which rows that wait would wait for ever. */
  private static final String WATERMARK = "WATERMARK";
  /** The state store of rowtime's own operators. */
  private static final String STATE_STORE = "STATE_STORE";

  /** Rows in order from one micro-batch to the next, where the watermark does not tell how far they have come. */
  private static final String ORDER = "ORDER";

  private NodeProperties() {}

  /** Adds the facts to a node and all below it. */
  public static void write(ObjectNode root) {
    complete(root);
    ReadColumns.write(root);
  }

  private static void complete(ObjectNode node) {
    node.get("inputs").forEach(input -> complete((ObjectNode) input));
    // Rows of later work will take back or replace earlier ones; those of all operators of today stand.
    node.put("changes", "append");
    ArrayNode needs = node.putArray("needs");
    needs(node).forEach(needs::add);
    node.put("sorted", isSorted(node));
    JsonNode signature = StateSignature.of(node);
    node.put("signature", signature == null ? null : signature.toString());
  }

  /** Whether rows come in the order of an ORDER BY. The inputs have their facts already. */
  private static boolean isSorted(ObjectNode node) {
    return switch (PlanOperator.of(node)) {
      case SORT -> true;
      case PROJECT, FILTER -> node.get("inputs").get(0).get("sorted").booleanValue();
      case SCAN, VALUES, AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, UNION, JOIN, INTERVAL_JOIN, LOOKUP_JOIN,
          SEARCH_KEY, TEMPORAL_JOIN, HOP, SESSION, UNNEST, PROCESS, SAMPLE, RECURSE, RECURSIVE, LATENESS, SETOP, WINDOW, TOP_N,
          UNSUPPORTED -> false;
    };
  }

  private static List<String> needs(ObjectNode node) {
    if (!node.get("streaming").booleanValue()) {
      return List.of();
    }
    return switch (PlanOperator.of(node)) {
      case SCAN, PROJECT, FILTER, HOP, UNNEST, LATENESS, LOOKUP_JOIN, SEARCH_KEY -> List.of();
      case AGGREGATE -> List.of(WATERMARK);
      case GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, SESSION, UNION, SORT, INTERVAL_JOIN, TEMPORAL_JOIN, PROCESS, TOP_N ->
          List.of(WATERMARK, STATE_STORE);
      case WINDOW -> comesByRows(node) ? List.of(WATERMARK, STATE_STORE, ORDER) : List.of(WATERMARK, STATE_STORE);
      // Of relations, or refused.
      case VALUES, JOIN, SAMPLE, RECURSE, RECURSIVE, SETOP, UNSUPPORTED -> List.of();
    };
  }

  /** Whether a window is ordered by a column of which only rows tell how far it is. */
  private static boolean comesByRows(ObjectNode node) {
    return node.path("time").isObject() && node.get("time").get("clock").isNull();
  }
}
