package io.rowtime.plan.execution;

import io.rowtime.operator.spec.FromChangelogSpec;
import io.rowtime.plan.node.ChangeModes;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import java.util.ArrayList;
import java.util.List;

/** FROM_CHANGELOG of a stream. */
final class AppliedChanges {
  private AppliedChanges() {}

  static Execution of(PlanNode node, NodeProperties properties) {
    Operator.FromChangelog changelog = (Operator.FromChangelog) node.operator();
    PlanNode input = node.input(0);
    InputColumns columns = new InputColumns();
    List<Integer> stored = properties.stored().get(0).stream().filter(index -> index != changelog.op()).toList();
    // Without a key, the row is one: numbers that are equal have to be the same.
    List<String> kept = stored.stream()
        .map(index -> columns.add(changelog.key() == null ? key(input, index) : Expressions.column(input, index))).toList();
    String op = columns.add(Expressions.column(input, changelog.op()));
    List<String> key = changelog.key() == null ? null : changelog.key().stream().map(index -> columns.add(key(input, index))).toList();
    String order = key == null || !CarriedColumns.hasArrival(input) ? null : columns.add(CarriedColumns.ARRIVAL);
    String change = ChangeModes.retracts(input) ? columns.add(CarriedColumns.CHANGE) : null;
    FromChangelogSpec spec = new FromChangelogSpec(kept, op, key, order, change);
    List<Expression> outputs = new ArrayList<>();
    for (int index = 0; index < input.columns().size(); index++) {
      if (index != changelog.op()) {
        outputs.add(new ColumnRef(stored.indexOf(index), input.columns().get(index).type(), input.columns().get(index).nullable()));
      }
    }
    Expression changes = new ColumnRef(kept.size(), "BIGINT", false);
    return new Execution(List.of(new Execution.Step(List.of(new Execution.Input(null, columns.columns(), null)), spec, List.of())), outputs, null, null,
        changes, List.of());
  }

  private static Expression key(PlanNode input, int index) {
    return Expressions.key(Expressions.column(input, index), input.columns().get(index).type());
  }
}
