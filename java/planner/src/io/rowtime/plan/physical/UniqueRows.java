package io.rowtime.plan.physical;

import io.rowtime.plan.node.Claims.Unique;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.OverWindow;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.aggregate.RankFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Determines which columns of a node have the same values in a limited number of its rows: those of a GROUP BY in one,
 * the partition of a Top-N in as many as it returns. Each row counts once, in whichever micro-batch it is emitted.
 */
final class UniqueRows {
  private UniqueRows() {}

  static List<Unique> of(PlanNode node) {
    return switch (node.kind()) {
      // With GROUPING SETS, a NULL of the input and the one of a key that is not in the set are alike.
      case AGGREGATE -> ((Operator.Aggregate) node.operator()).sets() == null ? ofKeys(node) : List.of();
      case GROUP_AGGREGATE -> ((Operator.GroupAggregate) node.operator()).sets() == null ? ofKeys(node) : List.of();
      case SESSION_AGGREGATE -> ofKeys(node);
      case HOP_AGGREGATE -> ((Operator.HopAggregate) node.operator()).keys().stream().allMatch(Operator.HopKey::isColumn) ? List.of() : ofKeys(node);
      case TOP_N -> {
        Operator.TopN rows = (Operator.TopN) node.operator();
        // Other ranks have ties.
        yield rows.function() == RankFunction.ROW_NUMBER ? List.of(new Unique(rows.limit(), rows.partition())) : List.of();
      }
      case WINDOW -> rowNumbers((Operator.Window) node.operator(), node.input(0).columns().size());
      case UNION -> ((Operator.Union) node.operator()).all() ? List.of() : first(node.columns().size());
      case SETOP -> ((Operator.SetOp) node.operator()).all() ? List.of() : first(node.columns().size());
      case RECURSE -> ((Operator.Recurse) node.operator()).all() ? List.of() : first(node.columns().size());
      // Where rows change, a key has a row for each of its changes; of the others nothing is claimed.
      default -> List.of();
    };
  }

  /** No two rows of a partition have the same ROW_NUMBER. */
  private static List<Unique> rowNumbers(Operator.Window node, int first) {
    List<Unique> unique = new ArrayList<>();
    int field = first;
    for (OverWindow window : node.windows()) {
      for (OverWindow.OverCall call : window.calls()) {
        if (call.function().equals("ROW_NUMBER")) {
          List<Integer> fields = new ArrayList<>(window.partition());
          fields.add(field);
          unique.add(new Unique(1, fields));
        }
        field++;
      }
    }
    return unique;
  }

  private static List<Unique> ofKeys(PlanNode node) {
    return first(((Operator.Grouping) node.operator()).keyCount());
  }

  private static List<Unique> first(int columns) {
    return List.of(new Unique(1, IntStream.range(0, columns).boxed().toList()));
  }
}
