package io.rowtime.plan.meaning;

import io.rowtime.operator.spec.StateLayout;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.node.StateSignature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.IntStream;

/**
 * Describes what the saved state of a node means: the node's own components, the columns that it stores, and everything below
 * it. Spark identifies state by the position of its operator among the stateful operators, and reads it with the columns
 * with which it was written.
 */
public final class StateSignatures {
  /** The version of the normal form. */
  static final int FORM = 1;
  private static final int LIMIT = 120;

  private StateSignatures() {}

  /** Returns null for a node without state. */
  public static StateSignature of(PlanNode node, List<List<Integer>> stored, List<List<Integer>> reads, PlanMeaning meanings) {
    if (!node.streaming()) {
      return null;
    }
    return switch (node.kind()) {
      // State of Spark's aggregation, and a file with the largest values so far.
      case AGGREGATE, LATENESS -> signature(node, StateOrder.columns(node, stored, reads, meanings), meanings, false);
      case GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, UPDATING_AGGREGATE, SESSION, SORT, INTERVAL_JOIN, UPDATING_JOIN, TEMPORAL_JOIN, PROCESS,
          WINDOW, TOP_N, UPDATING_TOP_N, UPDATING_OVER, TEMPORAL_FILTER, FROM_CHANGELOG ->
          signature(node, StateOrder.columns(node, stored, reads, meanings), meanings, true);
      case UNION -> ((Operator.Union) node.operator()).merges() ? signature(node, StateOrder.columns(node, stored, reads, meanings), meanings, true) : null;
      case SCAN, VALUES, FILTER, PROJECT, JOIN, LOOKUP_JOIN, SEARCH_KEY, HOP, UNNEST, SAMPLE, RECURSE, RECURSIVE, SETOP, UNSUPPORTED ->
          null;
      // The table of a pump is its state: all of its rows are results of the same query.
      case TO_CHANGELOG -> ((Operator.ToChangelog) node.operator()).target() == null ? null : signature(node, results(node, meanings), meanings, false);
    };
  }

  /** Returns the columns of a table that gets changes, with what they are. */
  private static List<String> results(PlanNode node, PlanMeaning meanings) {
    PlanNode result = node.input(0);
    List<NormalForm> columns = meanings.node(result).columns();
    return IntStream.range(0, columns.size()).mapToObj(i -> result.columns().get(i).name() + ": " + columns.get(i).typed()).toList();
  }

  /** @param own whether it is one of rowtime's own operators, which define their own state layout */
  private static StateSignature signature(PlanNode node, List<String> columns, PlanMeaning meanings, boolean own) {
    NodeMeaning meaning = meanings.node(node);
    Map<String, String> parts = new LinkedHashMap<>();
    meaning.parts().forEach((word, text) -> parts.put(word, Digest.shorten(text, LIMIT)));
    List<String> stored = new ArrayList<>(columns);
    List<String> clocks = new ArrayList<>(List.of(ValueTexts.of(node.clock())));
    List<String> rows = new ArrayList<>();
    List<String> functions = new ArrayList<>(meaning.functions());
    for (PlanNode input : node.inputs()) {
      NodeMeaning below = meanings.node(input);
      clocks.add(input.streaming() ? ValueTexts.of(input.clock()) : "");
      rows.add(below.rows());
      if (node.operator() instanceof Operator.ProcessRows process) {
        stored.add(PlanMeaning.named(node, below));
        functions.add(process.language() + " " + process.body());
      }
    }
    // In the order of what is most likely to say something to a reader.
    parts.put("sources", text(meaning.sources()));
    parts.put("conditions", text(meaning.conditionsBelow()));
    parts.put("columns", Digest.shorten(String.join(", ", stored), LIMIT));
    parts.put("clock of the query", Digest.shorten(String.join(" ", clocks), LIMIT));
    parts.put("rows below", Digest.shorten(String.join(", ", rows), LIMIT));
    return new StateSignature(node.kind().op(), own ? (Integer) StateLayout.VERSION : null, FORM, parts, functions);
  }

  private static String text(SortedSet<String> parts) {
    return Digest.shorten(String.join(", ", parts), LIMIT);
  }
}
