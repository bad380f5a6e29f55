package io.rowtime.plan.execution;

import io.rowtime.operator.spec.ChangelogSpec;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** TO_CHANGELOG of a result that changes: its rows, each with what happens to it. */
final class ChangelogExecution {
  private ChangelogExecution() {}

  static Execution of(PlanNode node) {
    Operator.ToChangelog changelog = (Operator.ToChangelog) node.operator();
    PlanNode input = node.input(0);
    InputColumns columns = new InputColumns();
    int width = input.columns().size();
    List<String> names = IntStream.range(0, width).mapToObj(i -> columns.add(Expressions.column(input, i))).toList();
    String change = columns.add(CarriedColumns.CHANGE);
    List<String> key = changelog.key() == null ? null : changelog.key().stream().map(names::get).toList();
    ChangelogSpec spec = new ChangelogSpec(names, change, key, key != null && isPlaced(input), changelog.upserts(), changelog.renews());
    Expression op = new ColumnRef(width, "TINYINT", false);
    List<Expression> fields = new ArrayList<>();
    IntStream.range(0, width).forEach(i -> fields.add(Expressions.column(input, i)));
    Execution.Step step = new Execution.Step(List.of(new Execution.Input(null, columns.columns(), null)), spec, List.of());
    if (changelog.target() != null) {
      fields.add(op);
      return new Execution(List.of(step), fields, null, null, null, List.of());
    }
    Expression payload = new Expression.Call("ROW", fields, node.columns().get(1).type(), node.columns().get(1).nullable());
    return new Execution(List.of(step), List.of(op, payload), null, null, null, List.of());
  }

  /** Returns whether rows that are equal in a unique key come from one task: those of groups and partitions do, by whose keys rows have been shuffled. */
  private static boolean isPlaced(PlanNode node) {
    boolean same = node.operator() instanceof Operator.Project || node.operator() instanceof Operator.Filter;
    return same ? isPlaced(node.input(0)) : node.operator() instanceof Operator.UpdatingAggregate || node.operator() instanceof Operator.UpdatingTopN
        || node.operator() instanceof Operator.FromChangelog;
  }
}
