package io.rowtime.plan.execution;

import static io.rowtime.plan.execution.Expressions.column;

import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.TopNSpec;
import io.rowtime.operator.spec.UpdatingTopNSpec;
import io.rowtime.plan.node.ChangeModes;
import io.rowtime.plan.node.Column;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.node.SortKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Top-N of partitions that are never complete. */
final class FirstRowsExecution {
  private FirstRowsExecution() {}

  static Execution of(PlanNode node, NodeProperties properties) {
    Operator.UpdatingTopN first = (Operator.UpdatingTopN) node.operator();
    PlanNode input = node.input(0);
    List<Integer> stored = properties.stored().get(0);
    InputColumns columns = new InputColumns();
    List<String> kept = new ArrayList<>();
    stored.forEach(index -> kept.add(columns.field((ColumnRef) column(input, index))));
    String time = null;
    if (CarriedColumns.hasRowtime(input)) {
      time = columns.add(Expressions.timestamp(Expressions.rowtime(input)));
      kept.add(time);
    }
    int width = kept.size();
    List<String> partition = first.partition().stream().map(index -> {
      String type = input.columns().get(index).type();
      return Expressions.isApproximate(type) ? columns.add(Expressions.key(column(input, index), type)) : kept.get(stored.indexOf(index));
    }).toList();
    List<Order> order = first.order().stream().map(key -> new Order(kept.get(stored.indexOf(key.index())), key.direction() == SortKey.Direction.DESC,
        key.nulls() == SortKey.Nulls.FIRST)).toList();
    String change = ChangeModes.retracts(input) ? columns.add(CarriedColumns.CHANGE) : null;
    List<TopNSpec.Rank> ranks = IntStream.range(0, first.ranks().size()).mapToObj(i -> new TopNSpec.Rank("r" + i, first.ranks().get(i))).toList();
    UpdatingTopNSpec spec = new UpdatingTopNSpec(kept, partition, order, first.function(), first.limit(), ranks, time, change);
    List<Expression> outputs = new ArrayList<>();
    for (int index = 0; index < input.columns().size(); index++) {
      Column field = input.columns().get(index);
      outputs.add(new ColumnRef(stored.indexOf(index), field.type(), field.nullable()));
    }
    IntStream.range(0, ranks.size()).forEach(i -> outputs.add(new ColumnRef(width + i, "BIGINT", false)));
    Expression changes = new ColumnRef(width + ranks.size(), "BIGINT", false);
    return new Execution(List.of(new Execution.Step(List.of(new Execution.Input(null, columns.columns(), null)), spec, null)), outputs, null, null, changes,
        List.of());
  }
}
