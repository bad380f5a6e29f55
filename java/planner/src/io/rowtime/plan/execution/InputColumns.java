package io.rowtime.plan.execution;

import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import io.rowtime.plan.node.PlanNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The columns of an operator's input, which are named by their places: c0, c1, … of the first input, d0, d1, … of the second. */
final class InputColumns {
  private final UnaryOperator<Expression> placed;
  private final String prefix;
  private final List<Expression> columns = new ArrayList<>();
  private final Map<Integer, String> fields = new HashMap<>();

  InputColumns() {
    this(UnaryOperator.identity());
  }

  /** @param number the number of the input */
  InputColumns(int number) {
    this(UnaryOperator.identity(), List.of("c", "d").get(number));
  }

  /** @param placed makes expressions over the node's input those over what the operator's input is computed from */
  InputColumns(UnaryOperator<Expression> placed) {
    this(placed, "c");
  }

  private InputColumns(UnaryOperator<Expression> placed, String prefix) {
    this.placed = placed;
    this.prefix = prefix;
  }

  /** Adds a column, which is over the node's input; returns its name. */
  String add(Expression value) {
    columns.add(placed.apply(value));
    return prefix + (columns.size() - 1);
  }

  /** Adds a column of the step before, by its place. */
  void place(int place, String type) {
    columns.add(new ColumnRef(place, type, true));
  }

  /** Returns the name of a field of the node's input, as it is; it is added when it is asked for first. */
  String field(ColumnRef field) {
    return fields.computeIfAbsent(field.index(), index -> add(field));
  }

  /** Returns the name of the column with a field of the node's input as a key: the field itself if equal values have the same bytes. */
  String key(PlanNode input, int index) {
    ColumnRef field = (ColumnRef) Expressions.column(input, index);
    return Expression.Key.hasManyForms(field.type()) ? add(Expressions.key(field, field.type())) : field(field);
  }

  int count() {
    return columns.size();
  }

  List<Expression> columns() {
    return List.copyOf(columns);
  }

  static String name(int place) {
    return "c" + place;
  }
}
