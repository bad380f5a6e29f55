package io.rowtime.plan.execution;

import io.rowtime.operator.spec.TemporalFilterSpec;
import io.rowtime.plan.node.ChangeModes;
import io.rowtime.plan.node.Column;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import java.util.ArrayList;
import java.util.List;

/** WHERE with conditions on the current time. */
final class TemporalFilterExecution {
  private TemporalFilterExecution() {}

  static Execution of(PlanNode node, NodeProperties properties) {
    Operator.TemporalFilter filter = (Operator.TemporalFilter) node.operator();
    PlanNode input = node.input(0);
    InputColumns columns = new InputColumns();
    List<Integer> reads = properties.reads().get(0);
    List<String> kept = reads.stream().map(index -> columns.field((ColumnRef) Expressions.column(input, index))).toList();
    List<String> enters = limits(filter.enters(), input, columns);
    List<String> leaves = limits(filter.leaves(), input, columns);
    String change = ChangeModes.retracts(input) ? columns.add(CarriedColumns.CHANGE) : null;
    TemporalFilterSpec spec = new TemporalFilterSpec(kept, enters, leaves, change);
    List<Expression> outputs = new ArrayList<>();
    for (int index = 0; index < input.columns().size(); index++) {
      Column field = input.columns().get(index);
      int place = reads.indexOf(index);
      // What is not read has not been carried along.
      outputs.add(place < 0 ? new Expression.Constant(null, field.type(), true) : new ColumnRef(place, field.type(), field.nullable()));
    }
    Expression changes = new ColumnRef(kept.size() + enters.size() + leaves.size(), "BIGINT", false);
    return new Execution(List.of(new Execution.Step(List.of(new Execution.Input(null, columns.columns(), null)), spec, List.of())), outputs, null, null,
        changes, List.of());
  }

  private static List<String> limits(List<Operator.TimeLimit> limits, PlanNode input, InputColumns columns) {
    return limits.stream().map(limit -> columns.add(reached(input, limit))).toList();
  }

  /** Returns the watermark at which the bound has reached a limit. Rows without a ROWTIME have the bound of the streams below. */
  private static Expression reached(PlanNode input, Operator.TimeLimit limit) {
    Expression time = Expressions.timestamp(Expressions.column(input, limit.column()));
    // The bound has whole milliseconds, as all times have.
    long millis = limit.millis() + (limit.after() ? 1 : 0);
    Expression later = millis == 0 ? time : Expressions.call("DATETIME_PLUS", Expressions.TIMESTAMP, time,
        new Expression.Constant(millis, "INTERVAL SECOND", false));
    return input.clock() == null ? new Expression.Reached(later, List.of(), Expressions.TIMESTAMP, true) : Expressions.reached(input, later);
  }
}
