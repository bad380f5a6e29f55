package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.BitSet;
import java.util.Set;

/**
 * Which columns a node reads of each of its inputs, and a scan of its source: what is neither computed with nor asked for above.
 */
final class Reads {
  private Reads() {}

  static void write(ObjectNode root) {
    visit(root, all(root));
  }

  /** @param above which of the node's own columns are read */
  private static void visit(ObjectNode node, BitSet above) {
    ArrayNode reads = node.putArray("reads");
    if (node.get("op").textValue().equals("scan")) {
      above.stream().forEach(reads.addArray()::add);
      return;
    }
    for (int i = 0; i < node.get("inputs").size(); i++) {
      ObjectNode input = (ObjectNode) node.get("inputs").get(i);
      boolean join = Set.of("interval_join", "lookup_join", "search_key", "temporal_join").contains(node.get("op").textValue());
      BitSet below = join ? joined(node, above, i) : below(node, above, input);
      below.stream().forEach(reads.addArray()::add);
      visit(input, below);
    }
  }

  private static BitSet below(ObjectNode node, BitSet above, ObjectNode input) {
    BitSet read = new BitSet();
    switch (node.get("op").textValue()) {
      case "project" -> references(node.get("exprs"), read);
      case "filter" -> {
        read.or(above);
        references(node.get("condition"), read);
      }
      case "top_n" -> {
        read.or(above.get(0, input.get("fields").size()));
        indexes(node.get("partition"), read);
        node.get("order").forEach(key -> read.set(key.get("index").intValue()));
        references(node.get("closes"), read);
      }
      case "aggregate", "group_aggregate", "session_aggregate" -> {
        grouped(node, read);
        references(node.get("closes"), read);
      }
      case "hop_aggregate" -> {
        grouped(node, read);
        read.set(node.get("pane").intValue());
      }
      default -> read.or(all(input));
    }
    return read;
  }

  /** What a join reads of its left (0) or right (1) input: what is asked for, its keys, and what its condition reads. */
  private static BitSet joined(ObjectNode node, BitSet above, int input) {
    BitSet both = (BitSet) above.clone();
    references(node.get("condition"), both);
    int width = node.get("inputs").get(0).get("fields").size();
    if (node.path(input == 0 ? "leftDistinct" : "rightDistinct").asBoolean()) {
      // Rows are the same where all of their columns are.
      return all((ObjectNode) node.get("inputs").get(input));
    }
    // The ROWTIME behind the columns of both is the join's own.
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

  private static void grouped(ObjectNode node, BitSet read) {
    indexes(node.get("keys"), read);
    for (JsonNode call : node.get("calls")) {
      indexes(call.get("args"), read);
      call.get("order").forEach(key -> read.set(key.get("index").intValue()));
      if (!call.get("filter").isNull()) {
        read.set(call.get("filter").intValue());
      }
    }
  }

  private static void indexes(JsonNode indexes, BitSet read) {
    indexes.forEach(index -> {
      if (index.isInt()) {
        read.set(index.intValue());
      }
    });
  }

  /** The columns that expressions read. */
  private static void references(JsonNode rex, BitSet read) {
    if (rex.isObject() && rex.path("kind").asText().equals("ref")) {
      read.set(rex.get("index").intValue());
    }
    rex.forEach(part -> references(part, read));
  }

  private static BitSet all(ObjectNode node) {
    BitSet all = new BitSet();
    all.set(0, node.get("fields").size());
    return all;
  }
}
