package io.rowtime.plan.execution;

import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.Carried;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import java.util.ArrayList;
import java.util.List;

/** The columns that rows of a stream carry though they are not among the fields of their node. */
final class CarriedColumns {
  static final Expression ROWTIME = new Carried(Carried.What.ROWTIME, Expressions.TIMESTAMP, true);
  static final Expression ARRIVAL = new Carried(Carried.What.ARRIVAL, "BIGINT", true);
  static final Expression CHANGE = new Carried(Carried.What.CHANGE, "BIGINT", false);

  private CarriedColumns() {}

  /**
   * Returns what an operator keeps of the rows of a node besides their fields: ROWTIME if it is not a field, and the number of a row
   * in order of arrival.
   */
  static List<Expression> of(PlanNode node) {
    List<Expression> carried = new ArrayList<>();
    if (node.rowtimeIndex() >= 0 ? repeatsRowtime(node) : hasRowtime(node)) {
      carried.add(Expressions.rowtime(node));
    }
    if (hasArrival(node)) {
      carried.add(ARRIVAL);
    }
    return carried;
  }

  /** Returns whether state above a node has ROWTIME twice: it does since the time when rows carried it past these operators. */
  private static boolean repeatsRowtime(PlanNode node) {
    return switch (node.kind()) {
      case HOP, UNNEST, LOOKUP_JOIN, SEARCH_KEY, WINDOW, TOP_N -> true;
      case FILTER, SORT, LATENESS -> repeatsRowtime(node.input(0));
      default -> false;
    };
  }

  /** Returns whether rows have a ROWTIME, listed or not. */
  static boolean hasRowtime(PlanNode node) {
    if (node.rowtimeIndex() >= 0) {
      return true;
    }
    return switch (node.kind().carries()) {
      case NOTHING -> false;
      case ROWTIME, ROWTIME_AND_ARRIVAL -> true;
      case OF_SOURCE -> node.rowtime() != null;
      case OF_INPUT -> hasRowtime(node.input(0));
      case OF_STREAM -> hasRowtime(stream(node));
      case OF_BRANCHES -> node.inputs().stream().allMatch(CarriedColumns::hasRowtime);
    };
  }

  /** Returns whether rows are numbered in order of arrival: those of logs are. */
  static boolean hasArrival(PlanNode node) {
    return switch (node.kind().carries()) {
      case NOTHING, ROWTIME -> false;
      case OF_SOURCE -> ((Operator.Scan) node.operator()).isNumbered();
      case OF_INPUT, ROWTIME_AND_ARRIVAL -> hasArrival(node.input(0));
      case OF_STREAM -> hasArrival(stream(node));
      case OF_BRANCHES -> node.inputs().stream().anyMatch(CarriedColumns::hasArrival);
    };
  }

  private static PlanNode stream(PlanNode node) {
    return node.input(((Operator.LookupJoin) node.operator()).stream() == Operator.Side.LEFT ? 0 : 1);
  }
}
