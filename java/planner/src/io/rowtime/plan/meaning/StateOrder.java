package io.rowtime.plan.meaning;

import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.node.PlanOperator.Stored;
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
    return switch (node.kind().stored()) {
      case GROUPS -> {
        List<NormalForm> columns = meanings.node(node).columns();
        int keys = ((Operator.Grouping) node.operator()).keyCount();
        // The numbers of GROUPING SETS follow from the order of the keys.
        yield List.of(hasSets(node.operator()) ? IntStream.range(0, keys).boxed().toList() : order(columns.subList(0, keys)),
            order(columns.subList(keys, columns.size())));
      }
      case RESULT -> List.of(order(meanings.node(node).columns()));
      case INPUT -> List.of(order(meanings.node(node.input(0)).columns()));
      case NOTHING, READ, WHOLE_INPUT, CLOCKS, TABLE -> List.of();
    };
  }

  /** Returns the columns that a node reads of each input, in the order in which it stores them if it does. */
  public static List<List<Integer>> reads(PlanNode node, List<List<Integer>> reads, PlanMeaning meanings) {
    if (!node.streaming() || node.kind().stored() != Stored.READ) {
      return reads;
    }
    return IntStream.range(0, reads.size()).mapToObj(i -> reads.get(i).stream().sorted(by(meanings.node(node.input(i)).columns())).toList()).toList();
  }

  /** Returns the columns that a node stores, with their types, in the order in which it does. */
  static List<String> columns(PlanNode node, List<List<Integer>> stored, List<List<Integer>> reads, PlanMeaning meanings) {
    return switch (node.kind().stored()) {
      case GROUPS, RESULT -> typed(stored.get(0), meanings.node(node).columns());
      case INPUT -> typed(stored.get(0), meanings.node(node.input(0)).columns());
      case READ -> IntStream.range(0, reads.size()).boxed().flatMap(i -> typed(reads.get(i), meanings.node(node.input(i)).columns()).stream()).toList();
      case WHOLE_INPUT -> meanings.node(node.input(0)).columns().stream().map(NormalForm::typed).toList();
      case TABLE -> {
        PlanNode result = node.input(0);
        List<NormalForm> columns = meanings.node(result).columns();
        yield IntStream.range(0, columns.size()).mapToObj(i -> result.columns().get(i).name() + ": " + columns.get(i).typed()).toList();
      }
      case NOTHING, CLOCKS -> List.of();
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
