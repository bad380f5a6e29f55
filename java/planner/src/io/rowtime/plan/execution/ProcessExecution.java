package io.rowtime.plan.execution;

import static io.rowtime.plan.execution.Expressions.column;

import io.rowtime.operator.spec.ProcessSpec;
import io.rowtime.plan.node.Column;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** User-defined functions over tables. State has the columns in the order of the input, in which the function sees them. */
final class ProcessExecution {
  private ProcessExecution() {}

  static Execution of(PlanNode node, NodeProperties properties) {
    Operator.ProcessRows process = (Operator.ProcessRows) node.operator();
    PlanNode input = node.input(0);
    InputColumns columns = new InputColumns();
    List<ProcessSpec.Column> read = IntStream.range(0, input.columns().size())
        .mapToObj(i -> new ProcessSpec.Column(process.partition().contains(i) ? columns.key(input, i) : columns.field((ColumnRef) column(input, i)),
            input.columns().get(i).name())).toList();
    // Rows of a relation can be without a number.
    String arrival = !node.streaming() || CarriedColumns.hasArrival(input) ? columns.add(CarriedColumns.ARRIVAL) : null;
    int first = 1 + process.partition().size();
    List<ProcessSpec.Result> results = IntStream.range(first, node.columns().size()).mapToObj(i ->
        new ProcessSpec.Result(node.columns().get(i).name(), node.columns().get(i).type(), process.resultTypes().get(i - first))).toList();
    ProcessSpec spec = new ProcessSpec(process.function(), ProcessSpec.Language.valueOf(process.language()), process.body(),
        process.partition().stream().map(i -> read.get(i).column()).toList(), read.get(process.time()).column(), arrival, read, process.parameters(),
        results, node.streaming() ? EngineTimes.clock(Expressions.clock(input)) : List.of(), EngineTimes.micros(process.delay()),
        EngineTimes.micros(process.stateTtl()), node.streaming() ? EngineTimes.arrivals(properties.arrivals().get(0)) : null);
    List<Expression> outputs = new ArrayList<>();
    for (Column made : node.columns()) {
      outputs.add(new ColumnRef(outputs.size(), made.type(), made.nullable()));
    }
    Execution.Input given = new Execution.Input(null, columns.columns(), null);
    return new Execution(List.of(new Execution.Step(List.of(given), spec, process.args())), outputs, null, null, null, List.of());
  }
}
