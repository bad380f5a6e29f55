package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import java.util.List;

/** When partitions are complete: those of rows by columns of which one moves on with the clock. */
public record PartitionClosing(NodeOrder input) {

  /** The partitioning column whose value is over at some time, of several the one that is soonest; -1 without one. */
  public int key(Iterable<Integer> partition) {
    int best = -1;
    for (int key : partition) {
      if (steps(key) != null && input.fields().get(key).monotonicity().makesProgress()
          && (best < 0 || ClockStep.length(steps(key)) < ClockStep.length(steps(best)))) {
        best = key;
      }
    }
    return best;
  }

  /** How a column follows from the clock of the input; null if it does not. */
  public List<ClockStep> steps(int column) {
    FieldOrder order = input.fields().get(column);
    return order.derivesFromRowtime() && input.hasClock() ? ClockStep.relative(order.steps(), input.clock()) : null;
  }
}
