package io.rowtime.plan.meaning;

import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Decides in which order a node stores columns: that of their meaning, whatever order a SELECT below or above has.
 */
public final class StateOrder {
  private StateOrder() {}

  /**
   * Returns for each input the order of its columns; for GROUP BY the order of the keys and of the calls; for UNION that of
   * the result. A join stores the columns that it {@link #reads}, in that order.
   */
  public static List<List<Integer>> stored(PlanNode node, PlanMeaning meanings) {
    if (!node.streaming()) {
      return List.of();
    }
    return switch (node.kind()) {
      case AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, UPDATING_AGGREGATE -> {
        List<NormalForm> columns = meanings.node(node).columns();
        int keys = ((Operator.Grouping) node.operator()).keyCount();
        // The numbers of GROUPING SETS follow from the order of the keys.
        yield List.of(hasSets(node.operator()) ? IntStream.range(0, keys).boxed().toList() : order(columns.subList(0, keys)),
            order(columns.subList(keys, columns.size())));
      }
      case UNION -> List.of(order(meanings.node(node).columns()));
      case SESSION, SORT, WINDOW, TOP_N, UPDATING_TOP_N, UPDATING_OVER, FROM_CHANGELOG -> List.of(order(meanings.node(node.input(0)).columns()));
      case SCAN, VALUES, FILTER, PROJECT, JOIN, INTERVAL_JOIN, UPDATING_JOIN, TEMPORAL_JOIN, LOOKUP_JOIN, SEARCH_KEY, HOP, UNNEST, PROCESS, SAMPLE,
          RECURSE, RECURSIVE, LATENESS, SETOP, TO_CHANGELOG, TEMPORAL_FILTER, UNSUPPORTED -> List.of();
    };
  }

  /** Returns the columns that a node reads of each input, in the order in which it stores them if it does. */
  public static List<List<Integer>> reads(PlanNode node, List<List<Integer>> reads, PlanMeaning meanings) {
    return switch (node.kind()) {
      case INTERVAL_JOIN, UPDATING_JOIN, TEMPORAL_JOIN -> !node.streaming() ? reads : IntStream.range(0, 2).mapToObj(i -> {
        List<NormalForm> columns = meanings.node(node.input(i)).columns();
        return reads.get(i).stream().sorted(by(columns)).toList();
      }).toList();
      case TEMPORAL_FILTER -> List.of(reads.get(0).stream().sorted(by(meanings.node(node.input(0)).columns())).toList());
      case SCAN, VALUES, FILTER, PROJECT, AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, UNION, SORT, JOIN, LOOKUP_JOIN, SEARCH_KEY,
          HOP, SESSION, UNNEST, PROCESS, SAMPLE, RECURSE, RECURSIVE, LATENESS, SETOP, WINDOW, TOP_N, UPDATING_TOP_N, UPDATING_OVER, UPDATING_AGGREGATE, TO_CHANGELOG, FROM_CHANGELOG,
          UNSUPPORTED -> reads;
    };
  }

  /** Returns the columns that a node stores, with their types, in the order in which it does. */
  static List<String> columns(PlanNode node, List<List<Integer>> stored, List<List<Integer>> reads, PlanMeaning meanings) {
    return switch (node.kind()) {
      case AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, UPDATING_AGGREGATE, UNION -> typed(stored.get(0), meanings.node(node).columns());
      // A function can tell in which order the columns are.
      case PROCESS -> meanings.node(node.input(0)).columns().stream().map(NormalForm::typed).toList();
      case SESSION, SORT, WINDOW, TOP_N, UPDATING_TOP_N, UPDATING_OVER, FROM_CHANGELOG -> typed(stored.get(0), meanings.node(node.input(0)).columns());
      case TEMPORAL_FILTER -> typed(reads.get(0), meanings.node(node.input(0)).columns());
      case INTERVAL_JOIN, UPDATING_JOIN, TEMPORAL_JOIN -> IntStream.range(0, 2).boxed()
          .flatMap(i -> typed(reads.get(i), meanings.node(node.input(i)).columns()).stream()).toList();
      case SCAN, VALUES, FILTER, PROJECT, JOIN, LOOKUP_JOIN, SEARCH_KEY, HOP, UNNEST, SAMPLE, RECURSE, RECURSIVE, LATENESS, SETOP,
          TO_CHANGELOG, UNSUPPORTED -> List.of();
    };
  }

  private static boolean hasSets(Operator operator) {
    return operator instanceof Operator.Aggregate aggregate && aggregate.sets() != null
        || operator instanceof Operator.GroupAggregate groups && groups.sets() != null
        || operator instanceof Operator.UpdatingAggregate updating && updating.sets() != null;
  }

  private static List<String> typed(List<Integer> order, List<NormalForm> columns) {
    return order.stream().map(i -> columns.get(i).typed()).toList();
  }

  private static List<Integer> order(List<NormalForm> columns) {
    return IntStream.range(0, columns.size()).boxed().sorted(by(columns)).toList();
  }

  private static Comparator<Integer> by(List<NormalForm> columns) {
    return Comparator.comparing((Integer i) -> columns.get(i).typed()).thenComparing(Comparator.naturalOrder());
  }
}
