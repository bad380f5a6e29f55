package io.rowtime.plan.execution;

import static io.rowtime.plan.execution.Expressions.call;
import static io.rowtime.plan.execution.Expressions.column;
import static io.rowtime.plan.execution.Expressions.integer;

import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.GroupCall;
import io.rowtime.plan.node.PlanNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The GROUPING SETS of a GROUP BY: the operator gets each row once for each set, with NULL in the keys that are not in it, and with
 * the number of the set.
 *
 * @param sets null for a plain GROUP BY
 * @param close whether groups close. The group of the set without keys never does, so that its rows are not needed
 */
record GroupingSets(List<List<Integer>> sets, boolean close) {
  /** The number of the set that a copy of a row is for. */
  static final Expression NUMBER = new Expression.Carried(Expression.Carried.What.COPY, "INTEGER", false);

  /** Returns the numbers of the sets whose rows are needed; null for a plain GROUP BY. */
  List<Integer> copies() {
    return sets == null ? null : IntStream.range(0, sets.size()).filter(i -> !close || !sets.get(i).isEmpty()).boxed().toList();
  }

  /** Returns the value of a key, over the columns of the input. */
  Expression key(PlanNode input, int key) {
    Expression value = column(input, key);
    String type = input.columns().get(key).type();
    if (sets == null) {
      return Expressions.key(value, type);
    }
    List<Integer> copies = copies();
    List<Integer> within = copies.stream().filter(set -> sets.get(set).contains(key)).toList();
    if (within.size() == copies.size()) {
      return Expressions.key(value, type);
    }
    Expression isWithin = within.stream().map(set -> call("=", "BOOLEAN", NUMBER, integer(set)))
        .reduce((one, other) -> call("OR", "BOOLEAN", one, other)).orElseThrow();
    return Expressions.key(call("CASE", type, isWithin, value, new Expression.Constant(null, type, true)), type);
  }

  /**
   * Returns the value of GROUPING, GROUPING_ID or GROUP_ID.
   *
   * @param number the number of the set; null for a plain GROUP BY
   */
  Expression grouping(GroupCall call, Expression number) {
    if (number == null) {
      return integer(0);
    }
    List<Expression> choice = new ArrayList<>();
    for (int set = 0; set < sets.size() - 1; set++) {
      choice.add(call("=", "BOOLEAN", number, integer(set)));
      choice.add(integer(grouping(call, set)));
    }
    choice.add(integer(grouping(call, sets.size() - 1)));
    return choice.size() == 1 ? choice.get(0) : new Expression.Call("CASE", choice, "INTEGER", false);
  }

  private int grouping(GroupCall call, int set) {
    Set<Integer> keys = new HashSet<>(sets.get(set));
    if (call.function().equals("GROUP_ID")) {
      return (int) sets.subList(0, set).stream().filter(other -> new HashSet<>(other).equals(keys)).count();
    }
    int bits = 0;
    for (int key : call.args()) {
      bits = bits << 1 | (keys.contains(key) ? 0 : 1);
    }
    return bits;
  }
}
