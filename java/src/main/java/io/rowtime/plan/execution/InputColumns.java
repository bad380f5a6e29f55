package io.rowtime.plan.execution;

import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The columns of an operator's input, which are named by their places: c0, c1, …. */
final class InputColumns {
  private final List<Expression> columns = new ArrayList<>();
  private final Map<Integer, String> fields = new HashMap<>();

  /** Adds a column; returns its name. */
  String add(Expression value) {
    columns.add(value);
    return "c" + (columns.size() - 1);
  }

  /** Returns the name of a field of the node's input, as it is; it is added when it is asked for first. */
  String field(ColumnRef field) {
    return fields.computeIfAbsent(field.index(), index -> add(field));
  }

  List<Expression> columns() {
    return List.copyOf(columns);
  }
}
