package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Decides in which order a node stores columns: that of their meaning, whatever order a SELECT below or above has. Writes the
 * field {@code stored}: for each input the order of its fields; for GROUP BY the order of the keys and of the calls; for
 * UNION that of the result. A join stores the columns that it reads, in the order of {@code reads}.
 */
final class StateOrder {
  private StateOrder() {}

  static void write(ObjectNode node, PlanMeaning meanings) {
    ArrayNode stored = node.putArray("stored");
    if (!node.get("streaming").booleanValue()) {
      return;
    }
    switch (PlanOperator.of(node)) {
      case AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE -> {
        List<NormalForm> columns = meanings.node(node).columns();
        int keys = node.get("keys").size();
        // The numbers of GROUPING SETS follow from the order of the keys.
        boolean sets = node.hasNonNull("sets");
        add(stored, sets ? IntStream.range(0, keys).boxed().toList() : order(columns.subList(0, keys)));
        add(stored, order(columns.subList(keys, columns.size())));
      }
      case UNION -> add(stored, order(meanings.node(node).columns()));
      case SESSION, SORT, WINDOW, TOP_N -> add(stored, order(meanings.node(node.get("inputs").get(0)).columns()));
      case INTERVAL_JOIN, TEMPORAL_JOIN -> {
        for (int i = 0; i < 2; i++) {
          sort((ArrayNode) node.get("reads").get(i), meanings.node(node.get("inputs").get(i)).columns());
        }
      }
      case SCAN, VALUES, FILTER, PROJECT, JOIN, LOOKUP_JOIN, SEARCH_KEY, HOP, UNNEST, PROCESS, SAMPLE, RECURSE, RECURSIVE, LATENESS, SETOP,
          UNSUPPORTED -> { }
    }
  }

  /** Returns the columns that a node stores, with their types, in the order in which it does. */
  static List<String> columns(ObjectNode node, PlanMeaning meanings) {
    List<NormalForm> own = meanings.node(node).columns();
    return switch (PlanOperator.of(node)) {
      case AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, UNION -> typed(node.get("stored").get(0), own);
      // A function can tell in which order the columns are.
      case PROCESS -> meanings.node(node.get("inputs").get(0)).columns().stream().map(NormalForm::typed).toList();
      case SESSION, SORT, WINDOW, TOP_N -> typed(node.get("stored").get(0), meanings.node(node.get("inputs").get(0)).columns());
      case INTERVAL_JOIN, TEMPORAL_JOIN -> IntStream.range(0, 2).boxed()
          .flatMap(i -> typed(node.get("reads").get(i), meanings.node(node.get("inputs").get(i)).columns()).stream()).toList();
      case SCAN, VALUES, FILTER, PROJECT, JOIN, LOOKUP_JOIN, SEARCH_KEY, HOP, UNNEST, SAMPLE, RECURSE, RECURSIVE, LATENESS, SETOP,
          UNSUPPORTED -> List.of();
    };
  }

  private static List<String> typed(JsonNode order, List<NormalForm> columns) {
    return IntStream.range(0, order.size()).mapToObj(i -> columns.get(order.get(i).intValue()).typed()).toList();
  }

  private static List<Integer> order(List<NormalForm> columns) {
    return IntStream.range(0, columns.size()).boxed().sorted(by(columns)).toList();
  }

  private static Comparator<Integer> by(List<NormalForm> columns) {
    return Comparator.comparing((Integer i) -> columns.get(i).typed()).thenComparing(Comparator.naturalOrder());
  }

  private static void sort(ArrayNode numbers, List<NormalForm> columns) {
    List<Integer> sorted = IntStream.range(0, numbers.size()).mapToObj(i -> numbers.get(i).intValue()).sorted(by(columns)).toList();
    numbers.removeAll();
    sorted.forEach(numbers::add);
  }

  private static void add(ArrayNode stored, List<Integer> order) {
    order.forEach(stored.addArray()::add);
  }
}
