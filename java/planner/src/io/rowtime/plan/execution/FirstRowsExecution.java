package io.rowtime.plan.execution;

import io.rowtime.operator.spec.OperatorSpec;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.RenewedTopNSpec;
import io.rowtime.operator.spec.TopNSpec;
import io.rowtime.operator.spec.UpdatingTopNSpec;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import java.util.List;
import java.util.stream.IntStream;

/** Top-N of partitions that are never complete. */
final class FirstRowsExecution {
  private FirstRowsExecution() {}

  static Execution of(PlanNode node, NodeProperties properties) {
    Operator.UpdatingTopN first = (Operator.UpdatingTopN) node.operator();
    PartitionRows rows = new PartitionRows(node.input(0), properties.stored().get(0));
    List<String> kept = rows.kept();
    int width = kept.size();
    List<TopNSpec.Rank> ranks = IntStream.range(0, first.ranks().size()).mapToObj(i -> new TopNSpec.Rank("r" + i, first.ranks().get(i))).toList();
    List<String> partition = rows.partition(first.partition());
    List<Order> order = rows.order(first.order());
    OperatorSpec spec = first.ttl() == null ? new UpdatingTopNSpec(kept, partition, order, first.function(), first.limit(), ranks, rows.time(), rows.change())
        : new RenewedTopNSpec(kept, partition, order, first.function(), first.limit(), ranks, rows.time(), EngineTimes.clock(Expressions.clock(node.input(0))),
            rows.later(first.ttl() + 1), EngineTimes.arrivals(properties.arrivals().get(0)), EngineTimes.micros(first.ttl()));
    List<Expression> outputs = rows.fields();
    IntStream.range(0, ranks.size()).forEach(i -> outputs.add(new ColumnRef(width + i, "BIGINT", false)));
    Expression changes = new ColumnRef(width + ranks.size(), "BIGINT", false);
    return new Execution(List.of(new Execution.Step(List.of(new Execution.Input(null, rows.columns().columns(), null)), spec, List.of())), outputs, null, null,
        changes, List.of());
  }
}
