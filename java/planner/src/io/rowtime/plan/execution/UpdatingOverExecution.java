package io.rowtime.plan.execution;

import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.UpdatingOverSpec;
import io.rowtime.operator.spec.Window;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.OverWindow;
import io.rowtime.plan.node.PlanNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** OVER whose values change. */
final class UpdatingOverExecution {
  private UpdatingOverExecution() {}

  /** Returns how a node is computed; null if an operator cannot compute all calls. */
  static Execution of(PlanNode node, NodeProperties properties) {
    List<OverWindow> windows = ((Operator.UpdatingOver) node.operator()).windows();
    if (windows.stream().anyMatch(window -> window.operator() == null)) {
      return null;
    }
    PartitionRows rows = new PartitionRows(node.input(0), properties.stored().get(0));
    // The arguments of calls follow from the fields, so a row that is retracted has the same ones.
    List<CallColumns> calls = IntStream.range(0, windows.size()).mapToObj(i -> new CallColumns(windows.get(i).operator(),
        IntStream.range(0, windows.get(i).calls().size()).boxed().toList(), "w" + i + "r", rows.columns())).toList();
    List<String> kept = rows.kept();
    List<Window> made = new ArrayList<>();
    List<Order> order = List.of();
    for (int i = 0; i < windows.size(); i++) {
      List<Order> own = rows.order(windows.get(i).order());
      order = own.isEmpty() ? order : own;
      OverWindow.Frame frame = windows.get(i).frame();
      made.add(new Window(own, frame.rows(), WindowExecutions.bound(frame.rows(), frame.lower(), 1), WindowExecutions.bound(frame.rows(), frame.upper(), 1),
          calls.get(i).calls()));
    }
    UpdatingOverSpec spec = new UpdatingOverSpec(kept, rows.partition(windows.get(0).partition()), order, rows.time(), rows.change(), made);
    List<Expression> outputs = rows.fields();
    int first = kept.size();
    for (int i = 0; i < windows.size(); i++) {
      List<OverWindow.OverCall> asked = windows.get(i).calls();
      int of = first;
      for (int call = 0; call < asked.size(); call++) {
        outputs.add(calls.get(i).value(call, result -> of + result, asked.get(call).type(), asked.get(call).nullable()));
      }
      first += calls.get(i).calls().size();
    }
    Expression changes = new ColumnRef(first, "BIGINT", false);
    return new Execution(List.of(new Execution.Step(List.of(new Execution.Input(null, rows.columns().columns(), null)), spec, List.of())), outputs, null, null,
        changes, List.of());
  }
}
