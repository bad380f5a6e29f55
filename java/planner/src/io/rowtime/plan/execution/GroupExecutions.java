package io.rowtime.plan.execution;

import static io.rowtime.plan.execution.Expressions.column;
import static io.rowtime.plan.execution.Expressions.reached;
import static io.rowtime.plan.execution.Expressions.timestamp;

import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.GroupSpec;
import io.rowtime.operator.spec.HopSpec;
import io.rowtime.operator.spec.OperatorSpec;
import io.rowtime.operator.spec.RenewedGroupSpec;
import io.rowtime.operator.spec.SessionSpec;
import io.rowtime.operator.spec.UpdatingGroupSpec;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.node.ChangeModes;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import io.rowtime.plan.node.Expression.Conversion;
import io.rowtime.plan.node.GroupCall;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * GROUP BY of streams. The operators make the keys, the start of the window or session if there is one, and the results of the calls;
 * keys and calls are in the order in which state has them.
 */
final class GroupExecutions {
  private final PlanNode input;
  private final Operator.Grouping grouping;
  private final List<Integer> keys;
  private final List<Integer> results;
  private final NodeProperties properties;
  private final InputColumns columns = new InputColumns();

  GroupExecutions(PlanNode node, NodeProperties properties) {
    this.input = node.input(0);
    this.grouping = (Operator.Grouping) node.operator();
    this.keys = properties.stored().get(0);
    this.results = properties.stored().get(1);
    this.properties = properties;
  }

  Execution groups() {
    Operator.GroupAggregate aggregate = (Operator.GroupAggregate) grouping;
    GroupingSets sets = new GroupingSets(aggregate.sets(), true);
    List<String> partition = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int key : keys) {
      int field = aggregate.keys().get(key);
      names.add(columns.add(sets.key(input, field)));
      if (aggregate.partition().contains(field)) {
        partition.add(names.get(names.size() - 1));
      }
    }
    String closes = columns.add(reached(input, aggregate.closes()));
    if (sets.copies() != null) {
      names.add(columns.add(GroupingSets.NUMBER));
    }
    CallColumns calls = new CallColumns(aggregate.operator(), results, columns);
    List<Call> combine = new ArrayList<>(calls.combine());
    Expression rowtime = Expressions.rowtime(input);
    String time = rowtime == null ? null : columns.add(timestamp(rowtime));
    if (time != null && aggregate.combines()) {
      // The latest of the combined rows proves what each of them proves.
      combine.add(new Call("latest", "MAX", List.of(time), "TIMESTAMP"));
    }
    GroupSpec spec = new GroupSpec(partition, names, closes, time, EngineTimes.clock(Expressions.clock(input)), arrivals(), calls.calls(), combine);
    List<Expression> values = IntStream.range(0, aggregate.keys().size()).mapToObj(key -> result(keys.indexOf(key), aggregate.keys().get(key))).toList();
    Expression number = sets.copies() == null ? null : new ColumnRef(keys.size(), "INTEGER", false);
    return execution(spec, sets.copies(), values, calls, names.size(), call -> sets.grouping(call, number));
  }

  Execution updates() {
    Operator.UpdatingAggregate aggregate = (Operator.UpdatingAggregate) grouping;
    GroupingSets sets = new GroupingSets(aggregate.sets(), false);
    List<String> names = new ArrayList<>();
    keys.forEach(key -> names.add(columns.add(sets.key(input, aggregate.keys().get(key)))));
    if (sets.copies() != null) {
      names.add(columns.add(GroupingSets.NUMBER));
    }
    CallColumns calls = new CallColumns(aggregate.operator(), results, columns);
    String change = ChangeModes.retracts(input) ? columns.add(CarriedColumns.CHANGE) : null;
    OperatorSpec spec = aggregate.ttl() == null ? new UpdatingGroupSpec(names, change, calls.calls(), calls.combine())
        : renewed(names, aggregate.ttl(), calls);
    List<Expression> values = IntStream.range(0, aggregate.keys().size()).mapToObj(key -> result(keys.indexOf(key), aggregate.keys().get(key))).toList();
    Expression number = sets.copies() == null ? null : new ColumnRef(keys.size(), "INTEGER", false);
    Execution made = execution(spec, sets.copies(), values, calls, names.size(), call -> sets.grouping(call, number));
    Expression changes = new ColumnRef(names.size() + calls.calls().size(), "BIGINT", false);
    return new Execution(made.steps(), made.outputs(), null, null, changes, List.of());
  }

  private OperatorSpec renewed(List<String> names, long ttl, CallColumns calls) {
    String time = columns.add(timestamp(Expressions.rowtime(input)));
    // A row that is exactly that much later still belongs to the group as it is, and can arrive while the bound is at its time.
    String closes = columns.add(Expressions.later(input, ttl + 1));
    return new RenewedGroupSpec(names, time, EngineTimes.clock(Expressions.clock(input)), closes, arrivals(), EngineTimes.micros(ttl), calls.calls());
  }

  Execution sessions() {
    Operator.SessionAggregate aggregate = (Operator.SessionAggregate) grouping;
    int timed = aggregate.keys().indexOf(aggregate.session().key());
    List<Integer> others = keys.stream().filter(key -> key != timed).toList();
    List<String> names = others.stream().map(key -> addKey(aggregate.keys().get(key))).toList();
    String time = columns.add(timestamp(column(input, aggregate.session().key())));
    String closes = columns.add(reached(input, aggregate.closes()));
    CallColumns calls = new CallColumns(aggregate.operator(), results, columns);
    SessionSpec spec = new SessionSpec(names, time, EngineTimes.clock(Expressions.clock(input)), closes, arrivals(), EngineTimes.micros(aggregate.session().gap()),
        calls.calls());
    List<Expression> values = IntStream.range(0, aggregate.keys().size())
        .mapToObj(key -> result(key == timed ? others.size() : others.indexOf(key), aggregate.keys().get(key))).toList();
    return execution(spec, null, values, calls, others.size() + 1, call -> Expressions.integer(0));
  }

  Execution windows() {
    Operator.HopAggregate aggregate = (Operator.HopAggregate) grouping;
    String time = columns.add(column(input, aggregate.pane()));
    List<Integer> others = keys.stream().filter(key -> aggregate.keys().get(key).isColumn()).toList();
    List<String> names = others.stream().map(key -> addKey(aggregate.keys().get(key).column())).toList();
    CallColumns calls = new CallColumns(aggregate.operator(), results, columns);
    // The clock of the input is ahead of that of the panes.
    List<ClockStep> clock = ClockStep.withShift(Expressions.clock(input), -aggregate.late());
    HopSpec spec = new HopSpec(names, time, arrivals(), EngineTimes.micros(aggregate.slide()), EngineTimes.micros(aggregate.size()),
        EngineTimes.micros(aggregate.offset()), EngineTimes.clock(clock), calls.calls(), calls.combine());
    Expression start = result(others.size(), aggregate.pane());
    List<Expression> values = new ArrayList<>();
    for (int key = 0; key < aggregate.keys().size(); key++) {
      Operator.HopKey which = aggregate.keys().get(key);
      values.add(which.isColumn() ? result(others.indexOf(key), which.column()) : which.equals(Operator.HopKey.START) ? start
          : timestamp(Expressions.call("DATETIME_PLUS", Expressions.TIMESTAMP, start,
              new Expression.Constant(aggregate.size(), "INTERVAL SECOND", false))));
    }
    return execution(spec, null, values, calls, others.size() + 1, call -> Expressions.integer(0));
  }

  private Arrivals arrivals() {
    return EngineTimes.arrivals(properties.arrivals().get(0));
  }

  private String addKey(int field) {
    return columns.add(Expressions.key(column(input, field), input.columns().get(field).type()));
  }

  /** Returns a column that the operator makes, with the type of a field of the input. */
  private Expression result(int place, int field) {
    return new ColumnRef(place, input.columns().get(field).type(), true);
  }

  /**
   * @param keyValues the keys of the node
   * @param first the place of the first call's result
   * @param groupings returns the value of GROUPING and the like
   */
  private Execution execution(OperatorSpec spec, List<Integer> copies, List<Expression> keyValues, CallColumns calls, int first,
      Function<GroupCall, Expression> groupings) {
    List<Expression> outputs = new ArrayList<>(keyValues);
    for (int i = 0; i < grouping.calls().size(); i++) {
      GroupCall call = grouping.calls().get(i);
      outputs.add(calls.isGrouping(i) ? new Conversion(groupings.apply(call), call.type(), call.nullable())
          : calls.value(i, result -> first + result, call.type(), call.nullable()));
    }
    return new Execution(List.of(new Execution.Step(List.of(new Execution.Input(copies, columns.columns(), null)), spec, List.of())), outputs, null, null, null,
        List.of());
  }
}
