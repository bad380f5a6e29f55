package io.rowtime.plan.meaning;

import io.rowtime.operator.spec.StateLayout;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.NodeProperties.Need;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.node.StateSignature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

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
    if (!node.streaming() || !node.operator().keepsState()) {
      return null;
    }
    // One of rowtime's own operators, which define their own state layout.
    boolean own = node.operator().needs().contains(Need.STATE_STORE);
    NodeMeaning meaning = meanings.node(node);
    Map<String, String> parts = new LinkedHashMap<>();
    meaning.parts().forEach((word, text) -> parts.put(word, Digest.shorten(text, LIMIT)));
    List<String> columns = new ArrayList<>(StateOrder.columns(node, stored, reads, meanings));
    List<String> clocks = new ArrayList<>(List.of(ValueTexts.of(node.clock())));
    List<String> rows = new ArrayList<>();
    List<String> functions = new ArrayList<>(meaning.functions());
    for (PlanNode input : node.inputs()) {
      NodeMeaning below = meanings.node(input);
      clocks.add(input.streaming() ? ValueTexts.of(input.clock()) : "");
      rows.add(below.rows());
      if (node.operator() instanceof Operator.ProcessRows process) {
        columns.add(PlanMeaning.named(node, below));
        functions.add(process.language() + " " + process.body());
      }
    }
    // In the order of what is most likely to say something to a reader.
    parts.put("sources", text(meaning.sources()));
    parts.put("conditions", text(meaning.conditionsBelow()));
    parts.put("columns", Digest.shorten(String.join(", ", columns), LIMIT));
    parts.put("clock of the query", Digest.shorten(String.join(" ", clocks), LIMIT));
    parts.put("rows below", Digest.shorten(String.join(", ", rows), LIMIT));
    return new StateSignature(node.kind().op(), own ? (Integer) (hasKeyColumns(node) ? StateLayout.WITH_KEY_COLUMNS : StateLayout.VERSION) : null, FORM, parts, functions);
  }

  /** Returns whether a key of the partitions has a column of its own, which operators without it in an earlier build got later. */
  private static boolean hasKeyColumns(PlanNode node) {
    if (node.operator() instanceof Operator.Window over) {
      return over.windows().stream().anyMatch(window -> hasManyForms(node, window.partition(), true));
    } else if (node.operator() instanceof Operator.UpdatingOver over) {
      return over.windows().stream().anyMatch(window -> hasManyForms(node, window.partition(), false));
    } else if (node.operator() instanceof Operator.ProcessRows process) {
      return hasManyForms(node, process.partition(), true);
    } else if (node.operator() instanceof Operator.TopN rows) {
      return hasManyForms(node, rows.partition(), false);
    }
    return node.operator() instanceof Operator.UpdatingTopN rows && hasManyForms(node, rows.partition(), false);
  }

  private static boolean hasManyForms(PlanNode node, List<Integer> fields, boolean approximate) {
    return fields.stream().map(field -> node.input(0).columns().get(field).type())
        .anyMatch(type -> Expression.Key.hasManyForms(type) && (approximate || !Expression.Key.isApproximate(type)));
  }

  private static String text(SortedSet<String> parts) {
    return Digest.shorten(String.join(", ", parts), LIMIT);
  }
}
