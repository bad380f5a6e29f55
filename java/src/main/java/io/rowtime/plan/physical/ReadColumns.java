package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.BitSet;

/**
 * Determines which columns a node reads of each of its inputs, and a scan of its source: those that it computes with,
 * and those that nodes above it need.
 */
final class ReadColumns {
  private ReadColumns() {}

  static void write(ObjectNode root) {
    visit(root, all(root));
  }

  /** @param above the columns of the node itself that are read */
  private static void visit(ObjectNode node, BitSet above) {
    ArrayNode reads = node.putArray("reads");
    if (PlanOperator.of(node) == PlanOperator.SCAN) {
      above.stream().forEach(reads.addArray()::add);
      return;
    }
    for (int i = 0; i < node.get("inputs").size(); i++) {
      BitSet below = of(node, above, i);
      below.stream().forEach(reads.addArray()::add);
      visit((ObjectNode) node.get("inputs").get(i), below);
    }
  }

  /** Returns the columns that a node reads of one of its inputs. */
  private static BitSet of(ObjectNode node, BitSet above, int number) {
    ObjectNode input = (ObjectNode) node.get("inputs").get(number);
    BitSet read = new BitSet();
    return switch (PlanOperator.of(node)) {
      case PROJECT -> references(node.get("exprs"), read);
      case FILTER -> references(node.get("condition"), (BitSet) above.clone());
      case TOP_N -> {
        read.or(above.get(0, input.get("fields").size()));
        indexes(node.get("partition"), read);
        node.get("order").forEach(key -> read.set(key.get("index").intValue()));
        yield references(node.get("closes"), read);
      }
      case AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE -> references(node.get("closes"), ofAggregate(node, read));
      case HOP_AGGREGATE -> {
        read.set(node.get("pane").intValue());
        yield ofAggregate(node, read);
      }
      case INTERVAL_JOIN, LOOKUP_JOIN, SEARCH_KEY, TEMPORAL_JOIN -> ofJoin(node, above, number);
      // Their translators need whole rows.
      case SCAN, VALUES, UNION, SORT, JOIN, HOP, SESSION, UNNEST, PROCESS, SAMPLE, RECURSE, RECURSIVE, LATENESS, SETOP, WINDOW,
          UNSUPPORTED -> all(input);
    };
  }

  /**
   * Returns the columns that a join reads of its left (0) or right (1) input: those needed above, its keys, and those
   * in its condition.
   */
  private static BitSet ofJoin(ObjectNode node, BitSet above, int input) {
    BitSet both = (BitSet) above.clone();
    references(node.get("condition"), both);
    int width = node.get("inputs").get(0).get("fields").size();
    if (node.path(input == 0 ? "leftDistinct" : "rightDistinct").asBoolean()) {
      // Rows are duplicates if all of their columns are equal.
      return all((ObjectNode) node.get("inputs").get(input));
    }
    // The ROWTIME after the columns of both inputs is the join's own.
    BitSet read = input == 0 ? both.get(0, width) : both.get(width, width + node.get("inputs").get(1).get("fields").size());
    references(node.path(input == 0 ? "leftKeys" : "rightKeys"), read);
    if (input == 0) {
      references(node.path("lookup"), read);
    } else {
      indexes(node.path("identity"), read);
      indexes(node.path("keys"), read);
    }
    return read;
  }

  private static BitSet ofAggregate(ObjectNode node, BitSet read) {
    indexes(node.get("keys"), read);
    for (JsonNode call : node.get("calls")) {
      indexes(call.get("args"), read);
      call.get("order").forEach(key -> read.set(key.get("index").intValue()));
      if (!call.get("filter").isNull()) {
        read.set(call.get("filter").intValue());
      }
    }
    return read;
  }

  private static void indexes(JsonNode indexes, BitSet read) {
    indexes.forEach(index -> {
      if (index.isInt()) {
        read.set(index.intValue());
      }
    });
  }

  /** Adds the columns that an expression reads. */
  private static BitSet references(JsonNode rex, BitSet read) {
    if (rex.isObject() && rex.path("kind").asText().equals("ref")) {
      read.set(rex.get("index").intValue());
    }
    rex.forEach(part -> references(part, read));
    return read;
  }

  private static BitSet all(ObjectNode node) {
    BitSet all = new BitSet();
    all.set(0, node.get("fields").size());
    return all;
  }
}
