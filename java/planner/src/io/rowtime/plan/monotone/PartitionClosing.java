package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import java.util.List;

/** Determines when partitions are complete: a partition is if one of its columns advances with the clock. */
public record PartitionClosing(NodeOrder input) {

  /** Returns the partitioning column whose values close, and earliest if there are several; -1 if there is none. */
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

  /** Returns the steps from the clock of the input to a column; null if the column does not follow from the clock. */
  public List<ClockStep> steps(int column) {
    FieldOrder order = input.fields().get(column);
    return order.derivesFromRowtime() && input.hasClock() ? ClockStep.relative(order.steps(), input.clock()) : null;
  }
}
