package io.rowtime.plan.monotone;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexWindowBound;

/**
 * When the rows of an OVER come out: at once where every frame ends at the current row or before, when the bound has
 * passed the end of the longest frame, or when their partition is complete.
 */
public final class WindowTiming {
  /** Functions whose value depends on every row of the partition. */
  private static final Set<String> WHOLE_PARTITION = Set.of("PERCENT_RANK", "CUME_DIST", "NTILE");

  private final Window window;
  private final NodeOrder input;

  public WindowTiming(Window window, NodeOrder input) {
    this.window = window;
    this.input = input;
  }

  /** The partitioning column whose value is over at some time, of several the one that is soonest; -1 without one. */
  public int closingKey(Window.Group group) {
    int best = -1;
    for (int key : group.keys) {
      if (relative(key) != null && input.fields().get(key).monotonicity().makesProgress()
          && (best < 0 || ClockStep.length(relative(key)) < ClockStep.length(relative(best)))) {
        best = key;
      }
    }
    return best;
  }

  /** How the column follows from the clock of the input; null where it does not. */
  public List<ClockStep> relative(int column) {
    FieldOrder order = input.fields().get(column);
    return order.derivesFromRowtime() && input.hasClock() ? ClockStep.relative(order.steps(), input.clock()) : null;
  }

  /** Whether rows of the group wait until their partition is complete. */
  public boolean waitsForPartition(Window.Group group) {
    boolean whole = group.aggCalls.stream().anyMatch(call -> WHOLE_PARTITION.contains(call.getOperator().getName()));
    boolean unlimited = group.upperBound.isUnbounded() && group.upperBound.isFollowing();
    return whole || unlimited || !orderedByTime(group);
  }

  /** Whether the rows of a partition are ordered by a time that moves on as they arrive. */
  public boolean orderedByTime(Window.Group group) {
    List<RelFieldCollation> keys = group.orderKeys.getFieldCollations();
    return !keys.isEmpty() && relative(keys.get(0).getFieldIndex()) != null && !keys.get(0).getDirection().isDescending();
  }

  /** Whether rows wait for so many later ones of their partition, whenever those come. */
  private static boolean waitsForRows(Window.Group group) {
    return group.isRows && group.upperBound.isFollowing() && !group.upperBound.isUnbounded()
        || group.aggCalls.stream().anyMatch(call -> call.getOperator().getName().equals("LEAD"));
  }

  /** The clock of the rows that come out: never ahead of a row that still waits. Null where no bound can be told. */
  List<ClockStep> clock() {
    List<ClockStep> least = input.clock();
    for (Window.Group group : window.groups) {
      least = ClockStep.least(least, clock(group));
    }
    return least;
  }

  private List<ClockStep> clock(Window.Group group) {
    if (!input.hasClock()) {
      return null;
    }
    if (waitsForPartition(group) || waitsForRows(group)) {
      int key = closingKey(group);
      return key < 0 ? null : input.fields().get(key).steps();
    }
    List<ClockStep> steps = new ArrayList<>(input.clock());
    Long following = group.isRows ? null : following(group.upperBound);
    if (following != null && following > 0) {
      steps.add(ClockStep.shift(-following));
    }
    return steps;
  }

  /** Milliseconds that the frame of a row reaches beyond it. */
  private Long following(RexWindowBound bound) {
    int width = window.getInput().getRowType().getFieldCount();
    return bound.isFollowing() && bound.getOffset() instanceof RexInputRef ref && ref.getIndex() >= width
        ? window.constants.get(ref.getIndex() - width).getValueAs(Long.class) : null;
  }
}
