package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Names what nodes store in the folder of their query, such as the clocks of LATENESS: by the meaning of the node, so that a
 * change elsewhere in the plan does not rename it. Nodes of equal meaning are told apart by their order.
 */
final class StateNames {
  private static final int LENGTH = 16;

  private final PlanMeaning meanings;
  private final Map<String, Integer> uses = new HashMap<>();
  /** The relations that read a version of a table (SNAPSHOT), by table and version. */
  private final Map<String, SortedSet<String>> readers = new HashMap<>();

  private StateNames(PlanMeaning meanings) {
    this.meanings = meanings;
  }

  static void write(ObjectNode root, PlanMeaning meanings) {
    StateNames names = new StateNames(meanings);
    names.collect(root, null);
    names.visit(root);
  }

  /** @param relation the relation that contains the node; null within a stream */
  private void collect(ObjectNode node, ObjectNode relation) {
    ObjectNode enclosing = relation != null || node.get("streaming").booleanValue() ? relation : node;
    if (enclosing != null && PlanOperator.of(node) == PlanOperator.SCAN && !node.get("asOf").isNull()) {
      readers.computeIfAbsent(version(node), key -> new TreeSet<>()).add(meanings.node(enclosing).sortKey());
    }
    node.get("inputs").forEach(input -> collect((ObjectNode) input, enclosing));
  }

  private void visit(ObjectNode node) {
    node.get("inputs").forEach(input -> visit((ObjectNode) input));
    switch (PlanOperator.of(node)) {
      // All scans of one version share its rows, which belong to what they are read for.
      case SCAN -> node.put("stateName", node.get("asOf").isNull() ? name(version(node)) : Digest.hash(version(node) + readers.get(version(node)), LENGTH));
      case LATENESS -> node.put("stateName", name(meanings.node(node).rows()));
      case VALUES, FILTER, PROJECT, AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, UNION, SORT, JOIN, INTERVAL_JOIN, LOOKUP_JOIN,
          SEARCH_KEY, TEMPORAL_JOIN, HOP, SESSION, UNNEST, PROCESS, SAMPLE, RECURSE, RECURSIVE, SETOP, WINDOW, TOP_N, UNSUPPORTED -> { }
    }
  }

  private static String version(ObjectNode scan) {
    return scan.get("source").textValue() + " " + scan.get("mode").textValue() + " " + scan.get("start") + " " + scan.get("asOf");
  }

  private String name(String meaning) {
    String hash = Digest.hash(meaning, LENGTH);
    int use = uses.merge(hash, 1, Integer::sum);
    return use == 1 ? hash : hash + "x" + use;
  }
}
