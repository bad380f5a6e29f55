package io.rowtime.plan.execution;

import io.rowtime.operator.spec.Call;
import io.rowtime.plan.node.ComputedCalls;
import io.rowtime.plan.node.ComputedCalls.Argument;
import io.rowtime.plan.node.ComputedCalls.ComputedCall;
import io.rowtime.plan.node.ComputedCalls.Result;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import io.rowtime.plan.node.Expression.Conversion;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * The calls of a node over columns of its operator's input: those of the operator, and those that combine rows before the shuffle.
 * Columns of computed arguments come before columns that are fields of the node's input; each of these is there once.
 */
final class CallColumns {
  private final ComputedCalls computed;
  private final String prefix;
  private final List<Integer> order;
  private final List<Call> calls = new ArrayList<>();
  private final List<Call> combine = new ArrayList<>();

  /** @param results the order in which the operator stores the results of the node's calls */
  CallColumns(ComputedCalls computed, List<Integer> results, InputColumns input) {
    this(computed, results, "r", input);
  }

  /** @param prefix what the names of the results begin with */
  CallColumns(ComputedCalls computed, List<Integer> results, String prefix, InputColumns input) {
    this.computed = computed;
    this.prefix = prefix;
    this.order = order(computed, results);
    List<ComputedCall> ordered = order.stream().map(computed.calls()::get).toList();
    Map<Argument, String> names = new IdentityHashMap<>();
    List<List<Argument>> arguments = ordered.stream().map(CallColumns::arguments).toList();
    arguments.forEach(each -> each.stream().filter(argument -> !isField(argument)).forEach(argument -> names.put(argument, input.add(value(argument)))));
    arguments.forEach(each -> each.stream().filter(CallColumns::isField)
        .forEach(argument -> names.put(argument, input.field((ColumnRef) argument.value()))));
    for (int i = 0; i < ordered.size(); i++) {
      add(ordered.get(i), arguments.get(i).stream().map(names::get).toList());
    }
  }

  /** @param columns the columns of its arguments, and of its filter if it has one */
  private void add(ComputedCall call, List<String> columns) {
    int args = call.args().size();
    String filter = call.filter() == null ? null : columns.get(args);
    Call made = new Call(prefix + calls.size(), call.function(), columns.subList(0, args), call.number(), call.fraction(), call.separator(),
        call.distinct(), call.ignoreNulls(), filter, call.sparkType());
    calls.add(made);
    if (call.combinedBy() != null) {
      combine.add(made.with(call.combinedBy()));
    }
  }

  /** Returns the arguments of a call, followed by its filter if it has one. */
  private static List<Argument> arguments(ComputedCall call) {
    List<Argument> arguments = new ArrayList<>(call.args());
    if (call.filter() != null) {
      arguments.add(new Argument(call.filter(), null));
    }
    return arguments;
  }

  private static boolean isField(Argument argument) {
    return argument.type() == null && argument.value() instanceof ColumnRef;
  }

  private static Expression value(Argument argument) {
    return argument.type() == null ? argument.value() : new Conversion(argument.value(), argument.type(), true);
  }

  List<Call> calls() {
    return List.copyOf(calls);
  }

  /** Returns the types of the results. */
  List<String> types() {
    return order.stream().map(call -> computed.calls().get(call).type()).toList();
  }

  List<Call> combine() {
    return combine;
  }

  /** Returns whether a call of the node is one of GROUPING and the like, whose value no operator computes. */
  boolean isGrouping(int number) {
    return computed.results().get(number).kind() == ComputedCalls.Kind.GROUPING;
  }

  /**
   * Returns the value of a call of the node, which is not one of GROUPING.
   *
   * @param number the number of the call
   * @param places returns the place of a call's result among the columns that the operator makes
   */
  Expression value(int number, IntUnaryOperator places, String type, boolean nullable) {
    Result result = computed.results().get(number);
    List<Expression> made = result.calls().stream().<Expression>map(call ->
        new ColumnRef(places.applyAsInt(order.indexOf(call)), computed.calls().get(call).type(), true)).toList();
    return switch (result.kind()) {
      case AVERAGE -> new Expression.Average(made.get(0), made.get(1), type, nullable);
      case VALUE -> new Conversion(made.get(0), type, nullable);
      case VALUE_OR_ZERO -> {
        String of = computed.calls().get(result.calls().get(0)).type();
        yield new Conversion(Expressions.call("COALESCE", of, made.get(0), Expressions.integer(0)), type, nullable);
      }
      case GROUPING -> throw new IllegalArgumentException("the value of GROUPING follows from the set");
    };
  }

  /** Returns the calls in the order in which the results need them. */
  private static List<Integer> order(ComputedCalls computed, List<Integer> results) {
    Set<Integer> used = new LinkedHashSet<>();
    results.forEach(result -> used.addAll(computed.results().get(result).calls()));
    for (int i = 0; i < computed.calls().size(); i++) {
      used.add(i);
    }
    return List.copyOf(used);
  }
}
