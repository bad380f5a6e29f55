package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives UNION ALL of streams the form in which all ways to write it are the same plan. */
final class UnionBranches {
  private UnionBranches() {}

  /** Replaces branches that are UNION ALL themselves by their branches, if these become the same rows. */
  static void merge(ObjectNode union) {
    if (!isMerge(union)) {
      return;
    }
    ArrayNode inputs = (ArrayNode) union.get("inputs");
    for (int i = 0; i < inputs.size(); ) {
      ObjectNode branch = (ObjectNode) inputs.get(i);
      if (isMerge(branch) && types(branch).equals(types(union)) && branch.get("clock").equals(union.get("clock"))
          && rowtime(branch) == rowtime(union)) {
        inputs.remove(i);
        for (int j = 0; j < branch.get("inputs").size(); j++) {
          inputs.insert(i + j, branch.get("inputs").get(j));
        }
        ((ArrayNode) union.get("origin")).addAll((ArrayNode) branch.get("origin"));
      } else {
        i++;
      }
    }
  }

  private static boolean isMerge(ObjectNode node) {
    return PlanOperator.of(node) == PlanOperator.UNION && node.get("all").booleanValue() && node.get("streaming").booleanValue();
  }

  private static List<String> types(ObjectNode node) {
    return node.get("fields").findValuesAsText("type");
  }

  private static int rowtime(ObjectNode node) {
    return node.get("fields").findValuesAsText("name").indexOf(node.get("rowtime").asText());
  }

  /** Numbers all nodes from the sources to the result. */
  static void renumber(ObjectNode root) {
    Map<Integer, Integer> numbers = new HashMap<>();
    number(root, numbers);
    rename(root, numbers);
  }

  private static void number(ObjectNode node, Map<Integer, Integer> numbers) {
    node.get("inputs").forEach(input -> number((ObjectNode) input, numbers));
    numbers.put(node.get("id").intValue(), numbers.size() + 1);
  }

  private static void rename(ObjectNode node, Map<Integer, Integer> numbers) {
    node.get("inputs").forEach(input -> rename((ObjectNode) input, numbers));
    node.put("id", numbers.get(node.get("id").intValue()));
    for (String source : List.of("leftSource", "rightSource")) {
      JsonNode scan = node.path(source);
      if (scan.isInt()) {
        node.put(source, numbers.get(scan.intValue()));
      }
    }
  }
}
