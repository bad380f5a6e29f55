package io.rowtime.plan.execution;

import static io.rowtime.plan.execution.Expressions.column;

import io.rowtime.operator.spec.Order;
import io.rowtime.plan.node.ChangeModes;
import io.rowtime.plan.node.Column;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.node.SortKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The input of an operator that keeps the rows of partitions in order: the fields as state has them, ROWTIME, and what else it needs. */
final class PartitionRows {
  private final PlanNode input;
  private final List<Integer> stored;
  private final InputColumns columns = new InputColumns();
  private final String time;

  PartitionRows(PlanNode input, List<Integer> stored) {
    this.input = input;
    this.stored = stored;
    stored.forEach(index -> columns.field((ColumnRef) column(input, index)));
    time = CarriedColumns.hasRowtime(input) ? columns.add(Expressions.timestamp(Expressions.rowtime(input))) : null;
  }

  InputColumns columns() {
    return columns;
  }

  /** Returns the name of the column with ROWTIME; null if there is none. */
  String time() {
    return time;
  }

  /** Returns the name of the column with the least watermark at which the bound reaches a row's ROWTIME and so many milliseconds. */
  String later(long millis) {
    return columns.add(Expressions.later(input, millis));
  }

  /** Returns the names of the columns so far. */
  List<String> kept() {
    return IntStream.range(0, columns.count()).mapToObj(InputColumns::name).toList();
  }

  private String field(int index) {
    return columns.field((ColumnRef) column(input, index));
  }

  List<String> partition(List<Integer> fields) {
    return fields.stream().map(index -> columns.key(input, index)).toList();
  }

  List<Order> order(List<SortKey> keys) {
    return keys.stream().map(key -> new Order(field(key.index()), key.direction() == SortKey.Direction.DESC, key.nulls() == SortKey.Nulls.FIRST)).toList();
  }

  /** Returns the name of the column with how often a row is added; null if rows are only added. */
  String change() {
    return ChangeModes.retracts(input) ? columns.add(CarriedColumns.CHANGE) : null;
  }

  /** Returns the fields of the input over the columns that the operator makes. */
  List<Expression> fields() {
    List<Expression> fields = new ArrayList<>();
    for (int index = 0; index < input.columns().size(); index++) {
      Column field = input.columns().get(index);
      fields.add(new ColumnRef(stored.indexOf(index), field.type(), field.nullable()));
    }
    return fields;
  }
}
