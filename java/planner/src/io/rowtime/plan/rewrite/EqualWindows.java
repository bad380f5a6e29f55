package io.rowtime.plan.rewrite;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.ClockStep.Function;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.RexOrder;
import io.rowtime.plan.rel.Plans;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The windows that contain both rows of a match, found in a join's condition: {@code FLOOR(a.ROWTIME TO HOUR) =
 * FLOOR(b.ROWTIME TO HOUR)}, or equal starts or ends of TUMBLE.
 *
 * @param floor maps either ROWTIME to the beginning of its window
 * @param conditions the conjuncts that compare these windows, and say nothing else
 */
record EqualWindows(ClockStep floor, List<RexNode> conditions) {
  private static final Set<TimeUnit> MONTHS = Set.of(TimeUnit.MONTH, TimeUnit.QUARTER, TimeUnit.YEAR, TimeUnit.DECADE);

  /** A function of ROWTIME: {@code after} milliseconds after the beginning of the window. */
  private record Window(ClockStep floor, long after) {}

  /** Returns the shortest windows that a join's condition compares, or null if there are none. */
  static EqualWindows of(Join join, OrderAnalysis orders) {
    ClockStep shortest = null;
    List<RexNode> conditions = new ArrayList<>();
    for (RexNode condition : RelOptUtil.conjunctions(join.getCondition())) {
      ClockStep found = condition instanceof RexCall call && call.getKind() == SqlKind.EQUALS ? compared(call, join, orders) : null;
      if (found == null) {
        continue;
      }
      if (shortest == null || found.longest() < shortest.longest()) {
        shortest = found;
        conditions.clear();
      }
      if (found.equals(shortest)) {
        conditions.add(condition);
      }
    }
    return shortest == null ? null : new EqualWindows(shortest, conditions);
  }

  private static ClockStep compared(RexCall call, Join join, OrderAnalysis orders) {
    int width = join.getLeft().getRowType().getFieldCount();
    ImmutableBitSet left = ImmutableBitSet.range(width);
    ImmutableBitSet right = ImmutableBitSet.range(width, width + join.getRight().getRowType().getFieldCount());
    RexNode a = call.getOperands().get(0);
    RexNode b = call.getOperands().get(1);
    if (Plans.readsOnly(a, right)) {
      RexNode other = a;
      a = b;
      b = other;
    }
    if (!Plans.readsOnly(a, left) || !Plans.readsOnly(b, right)) {
      return null;
    }
    Window one = window(a, join.getLeft(), orders);
    Window other = one == null ? null : window(RexUtil.shift(b, -width), join.getRight(), orders);
    return one != null && one.equals(other) ? one.floor : null;
  }

  /** Returns the window that determines the value of an expression over an input; null if anything else does. */
  private static Window window(RexNode expr, RelNode input, OrderAnalysis orders) {
    NodeOrder order = orders.of(input);
    RexNode value = expr;
    RexNode rowtime = order.rowtime() < 0 ? null : RexInputRef.of(order.rowtime(), input.getRowType());
    RelNode rows = input;
    while (rows instanceof Project || rows instanceof Filter) {
      if (rows instanceof Project project) {
        value = RelOptUtil.pushPastProject(value, project);
        rowtime = rowtime == null ? null : RelOptUtil.pushPastProject(rowtime, project);
      }
      rows = rows.getInput(0);
    }
    NodeOrder below = orders.of(rows);
    boolean ofRowtime = rowtime instanceof RexInputRef ref && ref.getIndex() == below.rowtime() && below.hasClock()
        && RelOptUtil.InputFinder.bits(value).equals(ImmutableBitSet.of(below.rowtime()));
    FieldOrder found = ofRowtime ? new RexOrder(below.fields()).of(value) : FieldOrder.NONE;
    List<ClockStep> steps = found.derivesFromRowtime() ? ClockStep.relative(found.steps(), below.clock()) : null;
    return steps == null ? null : window(steps);
  }

  /** Returns the window of steps that round exactly once, else null. */
  private static Window window(List<ClockStep> steps) {
    ClockStep floor = null;
    long before = 0;
    long after = 0;
    for (ClockStep step : steps) {
      if (step.function() == Function.SHIFT) {
        before += floor == null ? step.millis() : 0;
        after += floor == null ? 0 : step.millis();
      } else if (floor == null && step.isWindow()) {
        floor = step;
      } else {
        return null;
      }
    }
    if (floor == null) {
      return null;
    }
    if (floor.isCalendar()) {
      return before == 0 && floor.function() == Function.FLOOR && MONTHS.contains(floor.unit()) ? new Window(floor, after) : null;
    }
    // CEIL returns the end of a window that begins one millisecond later.
    long begins = floor.offset() - before + (floor.function() == Function.CEIL ? 1 : 0);
    return new Window(ClockStep.window(Function.FLOOR, floor.millis(), begins), after + before);
  }
}
