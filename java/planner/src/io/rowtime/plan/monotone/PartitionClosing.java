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

  /**
   * Returns the steps from the clock of the input to the earliest ROWTIME of rows whose partition is not complete; null if there
   * are none.
   *
   * @param key the column whose values close, of which {@link #steps} are known
   */
  public List<ClockStep> waiting(int key) {
    return ClockStep.waiting(steps(key), spread(key));
  }

  /**
   * Returns the same for rows that leave in order of a column, all rows of one value together; null also if the column does not
   * follow from the clock.
   */
  List<ClockStep> waitingInOrder(int column) {
    List<ClockStep> steps = steps(column);
    return steps == null ? null : spread(column) == 0 && !ClockStep.anyLocal(steps) ? ClockStep.earliest(steps)
        : ClockStep.waiting(steps, spread(column));
  }

  /**
   * Returns how far, at most, a row is behind an earlier one if rows leave in order of a column, in milliseconds: 0, unless a row can
   * have several values of it, as a time in overlapping windows has.
   *
   * @param column -1 if there is none
   */
  public long behind(int column) {
    return column < 0 || spread(column) == 0 || steps(column) == null ? 0 : ClockStep.mostApart(steps(column), spread(column));
  }

  /** Returns how far, at most, a value of a column is past the one that its steps give for ROWTIME, in milliseconds. */
  public long spread(int column) {
    return column == input.rowtime() ? 0 : input.fields().get(column).spread();
  }

  /** Returns the steps from the clock of the input to a column; null if the column does not follow from the clock. */
  public List<ClockStep> steps(int column) {
    FieldOrder order = input.fields().get(column);
    return order.derivesFromRowtime() && input.hasClock() ? ClockStep.relative(order.steps(), input.clock()) : null;
  }
}
