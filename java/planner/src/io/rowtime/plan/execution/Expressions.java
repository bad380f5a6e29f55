package io.rowtime.plan.execution;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.node.Column;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.Conversion;
import io.rowtime.plan.node.PlanNode;
import java.util.List;
import java.util.Set;

/** Expressions over the columns of a node's input. */
final class Expressions {
  static final String TIMESTAMP = "TIMESTAMP(3)";
  private static final Set<String> EXACT = Set.of("TINYINT", "SMALLINT", "INTEGER", "BIGINT");

  private Expressions() {}

  static Expression column(PlanNode input, int index) {
    Column column = input.columns().get(index);
    return new Expression.ColumnRef(index, column.type(), column.nullable());
  }

  static boolean isNumber(String type) {
    return Expression.Key.isApproximate(type) || EXACT.contains(type) || type.startsWith("DECIMAL");
  }

  /** Returns the number of digits after the point; 0 for a number that is not a DECIMAL. */
  static int scale(String type) {
    return type.startsWith("DECIMAL") ? Integer.parseInt(type.substring(type.indexOf(',') + 1, type.length() - 1).strip()) : 0;
  }

  /** Returns whether the type is one of intervals of a fixed length. */
  static boolean isDayTime(String type) {
    return type.startsWith("INTERVAL") && !type.startsWith("INTERVAL YEAR") && !type.startsWith("INTERVAL MONTH");
  }

  static Expression integer(int value) {
    return new Expression.Constant(value, "INTEGER", false);
  }

  static Expression call(String op, String type, Expression... args) {
    return new Expression.Call(op, List.of(args), type, true);
  }

  /** Returns a key such that equal values have the same bytes. */
  static Expression key(Expression value, String type) {
    return Expression.Key.hasManyForms(type) ? new Expression.Key(value, type, true) : value;
  }

  /** Returns a time as a TIMESTAMP. */
  static Expression timestamp(Expression time) {
    return new Conversion(time, TIMESTAMP, true);
  }

  /** Returns the least watermark at which the bound of the node's rows reaches a time. */
  static Expression reached(PlanNode input, Expression time) {
    return new Expression.Reached(time, clock(input), TIMESTAMP, true);
  }

  /** Returns the least watermark at which the bound of the node's rows reaches a row's ROWTIME and so many milliseconds. */
  static Expression later(PlanNode input, long millis) {
    return reached(input, call("DATETIME_PLUS", TIMESTAMP, timestamp(rowtime(input)), new Expression.Constant(millis, "INTERVAL SECOND", false)));
  }

  /** Returns the steps from the bound of the sources to that of the node's ROWTIME. */
  static List<ClockStep> clock(PlanNode node) {
    if (node.clock() == null) {
      throw new IllegalStateException("no clock, though an operator waits for one");
    }
    return node.clock();
  }

  /** Returns the ROWTIME of a node's rows, listed or not; null if they have none. */
  static Expression rowtime(PlanNode node) {
    int index = node.rowtimeIndex();
    return index >= 0 ? column(node, index)
        : CarriedColumns.hasRowtime(node) ? CarriedColumns.ROWTIME : null;
  }
}
