package io.rowtime.plan.execution;

import static io.rowtime.plan.execution.Expressions.column;

import io.rowtime.operator.spec.OperatorSpec;
import io.rowtime.operator.spec.Order;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.node.SortKey;
import java.util.ArrayList;
import java.util.List;

/**
 * The input of an operator that keeps whole rows, and returns them with its results: the fields in the order in which state has them,
 * the columns that rows carry, the results of the steps before, and what the operator needs besides.
 */
final class WholeRows {
  private final PlanNode input;
  private final List<Integer> stored;
  private final List<Expression> carried;
  private final List<Execution.Step> steps = new ArrayList<>();
  private final List<ColumnRef> results = new ArrayList<>();
  private InputColumns columns = new InputColumns();

  WholeRows(PlanNode input, List<Integer> stored) {
    this.input = input;
    this.stored = stored;
    this.carried = CarriedColumns.of(input);
    stored.forEach(index -> columns.field((ColumnRef) column(input, index)));
    carried.forEach(columns::add);
  }

  PlanNode input() {
    return input;
  }

  InputColumns columns() {
    return columns;
  }

  /** Returns the name of a field. */
  String field(int index) {
    return columns.field((ColumnRef) column(input, index));
  }

  /** Returns the names of the columns by which rows are partitioned. */
  List<String> partition(List<Integer> indexes) {
    return indexes.stream().map(index -> columns.key(input, index)).toList();
  }

  Order order(SortKey key) {
    return new Order(field(key.index()), key.direction() == SortKey.Direction.DESC, key.nulls() == SortKey.Nulls.FIRST);
  }

  /** Returns the name of the column with the number of a row in order of arrival; null if there is none. */
  String arrival() {
    int place = carried.indexOf(CarriedColumns.ARRIVAL);
    return place < 0 ? null : InputColumns.name(stored.size() + place);
  }

  /**
   * Returns the name of the column that orders rows, a TIMESTAMP: ROWTIME, which is added if it has another type.
   *
   * @param other what orders them in its place; null for ROWTIME
   */
  String time(Expression other) {
    if (other != null) {
      return columns.add(other);
    }
    int index = input.rowtimeIndex();
    if (index < 0) {
      return InputColumns.name(stored.size() + carried.indexOf(CarriedColumns.ROWTIME));
    }
    return input.columns().get(index).type().equals("DATE") ? columns.add(Expressions.timestamp(column(input, index))) : field(index);
  }

  /**
   * Adds a step, which makes these results besides.
   *
   * @param types the types of the results
   */
  void run(OperatorSpec spec, List<String> types) {
    steps.add(new Execution.Step(List.of(new Execution.Input(null, columns.columns(), null)), spec, List.of()));
    for (int i = 0; i < types.size(); i++) {
      results.add(new ColumnRef(columns.count() + i, types.get(i), true));
    }
  }

  /** Begins the next step, whose input has the results of those before it, but not what only these needed. */
  void next() {
    List<Expression> before = columns.columns();
    columns = new InputColumns(value -> value.equals(CarriedColumns.ROWTIME) ? new ColumnRef(stored.size(), Expressions.TIMESTAMP, true)
        : value.over(ref -> new ColumnRef(stored.indexOf(ref.index()), ref.type(), ref.nullable())));
    stored.forEach(this::field);
    for (int place = stored.size(); place < stored.size() + carried.size(); place++) {
      columns.place(place, before.get(place).type());
    }
    for (int i = 0; i < results.size(); i++) {
      ColumnRef result = results.get(i);
      columns.place(result.index(), result.type());
      results.set(i, new ColumnRef(columns.count() - 1, result.type(), true));
    }
  }

  /** Returns the place of a result among the columns that the last step makes; results are numbered through all steps. */
  int place(int result) {
    return results.get(result).index();
  }

  /**
   * Returns how the node is computed.
   *
   * @param more the columns of the node after those of its input
   */
  Execution execution(PlanNode node, List<Expression> more, List<Integer> order) {
    List<Expression> outputs = new ArrayList<>();
    for (int index = 0; index < input.columns().size(); index++) {
      outputs.add(new ColumnRef(stored.indexOf(index), input.columns().get(index).type(), input.columns().get(index).nullable()));
    }
    outputs.addAll(more);
    Expression rowtime = node.rowtimeIndex() >= 0 ? null : carried(CarriedColumns.ROWTIME);
    return new Execution(steps, outputs, rowtime, carried(CarriedColumns.ARRIVAL), null, order);
  }

  private Expression carried(Expression column) {
    int place = carried.indexOf(column);
    return place < 0 ? null : new ColumnRef(stored.size() + place, column.type(), true);
  }
}
