package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/**
 * Adds properties to each node of a written plan: how its rows change earlier ones, what it needs from the engine, what
 * its saved state depends on, in which order its rows come, which columns it reads, and which rows are unique.
 */
public final class NodeProperties {
  /** The clock of the sources. Without it, rows that are held back would never be emitted. */
  private static final String WATERMARK = "WATERMARK";
  /** The state store of rowtime's own operators. */
  private static final String STATE_STORE = "STATE_STORE";

  /** Rows in order across micro-batches, for operators whose progress the watermark does not show. */
  private static final String ORDER = "ORDER";

  /** How the rows of a node change earlier ones: not at all, or by retracting, updating or replacing them. */
  private enum ChangeMode { APPEND, RETRACT, UPDATE, UPSERT }

  private NodeProperties() {}

  /** Adds the properties to a node and all nodes below it. */
  public static void write(ObjectNode root) {
    PlanMeaning meanings = PlanMeaning.of(root);
    UnionBranches.renumber(root);
    complete(root);
    RowOrder.write(root);
    ReadColumns.write(root);
    sign(root, meanings);
    StateNames.write(root, meanings);
  }

  private static void sign(ObjectNode node, PlanMeaning meanings) {
    node.get("inputs").forEach(input -> sign((ObjectNode) input, meanings));
    StateOrder.write(node, meanings);
    JsonNode signature = StateSignature.of(node, meanings);
    node.put("signature", signature == null ? null : signature.toString());
  }

  private static void complete(ObjectNode node) {
    node.get("inputs").forEach(input -> complete((ObjectNode) input));
    node.put("changes", changes(node).name().toLowerCase(Locale.ROOT));
    ArrayNode needs = node.putArray("needs");
    needs(node).forEach(needs::add);
    node.put("sorted", isSorted(node));
    UniqueRows.write(node, ((ObjectNode) node.get("claims")).putArray("unique"));
  }

  /** Returns how the rows of a node change earlier ones. */
  private static ChangeMode changes(ObjectNode node) {
    return switch (PlanOperator.of(node)) {
      // A row is final when it is emitted: these operators wait until nothing can change it.
      case SCAN, PROJECT, FILTER, AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, UNION, SORT, INTERVAL_JOIN,
          LOOKUP_JOIN, SEARCH_KEY, TEMPORAL_JOIN, HOP, SESSION, UNNEST, PROCESS, LATENESS, WINDOW, TOP_N -> ChangeMode.APPEND;
      // These read relations, whose rows are emitted once, or are refused.
      case VALUES, JOIN, SAMPLE, RECURSE, RECURSIVE, SETOP, UNSUPPORTED -> ChangeMode.APPEND;
    };
  }

  /** Returns whether rows have the order of an ORDER BY. The properties of the inputs are complete already. */
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
      // These read relations, or are refused.
      case VALUES, JOIN, SAMPLE, RECURSE, RECURSIVE, SETOP, UNSUPPORTED -> List.of();
    };
  }

  /** Returns whether a window is ordered by a column whose progress only the rows show. */
  private static boolean comesByRows(ObjectNode node) {
    for (JsonNode pass : node.get("passes")) {
      if (pass.get("time").isObject() && pass.get("time").get("clock").isNull()) {
        return true;
      }
    }
    return false;
  }
}
