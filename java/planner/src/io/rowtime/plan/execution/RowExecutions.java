package io.rowtime.plan.execution;

import static io.rowtime.plan.execution.Expressions.column;
import static io.rowtime.plan.execution.Expressions.reached;
import static io.rowtime.plan.execution.Expressions.timestamp;

import io.rowtime.operator.spec.SessionWindowsSpec;
import io.rowtime.operator.spec.TopNSpec;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import java.util.List;
import java.util.stream.IntStream;

/** Operators that emit rows of a stream when something is complete: Top-N, and the table function SESSION. */
final class RowExecutions {
  private final PlanNode node;
  private final NodeProperties properties;
  private final PlanNode input;
  private final WholeRows rows;

  RowExecutions(PlanNode node, NodeProperties properties) {
    this.node = node;
    this.properties = properties;
    this.input = node.input(0);
    this.rows = new WholeRows(input, properties.stored().get(0));
  }

  Execution firstRows() {
    Operator.TopN first = (Operator.TopN) node.operator();
    List<String> partition = rows.partition(first.partition());
    String time = rows.time(null);
    String closes = rows.columns().add(reached(input, first.closes()));
    List<TopNSpec.Rank> ranks = IntStream.range(0, first.ranks().size()).mapToObj(i -> new TopNSpec.Rank("r" + i, first.ranks().get(i))).toList();
    TopNSpec spec = new TopNSpec(partition, first.order().stream().map(rows::order).toList(), first.function(), first.limit(), ranks, time,
        EngineTimes.clock(Expressions.clock(input)), rows.arrival(), closes, EngineTimes.arrivals(properties.arrivals().get(0)));
    rows.run(spec, ranks.stream().map(rank -> "BIGINT").toList());
    List<Expression> values = IntStream.range(0, ranks.size()).<Expression>mapToObj(i -> new ColumnRef(rows.place(i), "BIGINT", false)).toList();
    return rows.execution(node, values, List.of());
  }

  Execution sessions() {
    Operator.Session session = (Operator.Session) node.operator();
    String time = rows.columns().add(timestamp(column(input, session.time())));
    String closes = rows.columns().add(reached(input, session.closes()));
    // Each key has a column of its own, as in state.
    List<String> keys = session.keys().stream().map(field -> rows.columns().add(Expressions.key(column(input, field), input.columns().get(field).type()))).toList();
    SessionWindowsSpec spec = new SessionWindowsSpec(keys, time, EngineTimes.clock(Expressions.clock(input)), closes,
        EngineTimes.arrivals(properties.arrivals().get(0)), EngineTimes.micros(session.gap()));
    rows.run(spec, List.of(Expressions.TIMESTAMP, Expressions.TIMESTAMP));
    List<Expression> values = IntStream.range(0, 2).<Expression>mapToObj(i -> new ColumnRef(rows.place(i), Expressions.TIMESTAMP, false)).toList();
    int start = input.columns().size();
    // In the order in which sessions end.
    return rows.execution(node, values, List.of(start + 1, start, session.time()));
  }
}
