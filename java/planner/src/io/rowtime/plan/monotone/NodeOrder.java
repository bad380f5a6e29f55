package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Modulus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The known order of a node's rows.
 *
 * @param fields one entry for each output column
 * @param clock the steps from the bound of the sources to the bound of the node's ROWTIME; null if the node has no
 *     bound
 * @param rowtime index of the column that is the node's ROWTIME, or -1 if it is not among the columns
 */
public record NodeOrder(List<FieldOrder> fields, List<ClockStep> clock, int rowtime) {

  /** Returns the order of a relation: its rows arrive in no particular order. */
  public static NodeOrder relation(int fieldCount) {
    return new NodeOrder(Collections.nCopies(fieldCount, FieldOrder.NONE), null, -1);
  }

  public boolean hasClock() {
    return clock != null;
  }

  /** Returns whether a column advances with the bound of the node's ROWTIME. */
  public boolean isByClock(int column) {
    List<ClockStep> steps = fields.get(column).steps();
    return steps != null && steps.equals(clock);
  }

  NodeOrder withFields(List<FieldOrder> others) {
    return new NodeOrder(others, clock, rowtime);
  }

  /**
   * Returns the order of the same rows in order of ROWTIME. A time that follows from the clock is then no further behind
   * than it can be past the clock. Columns that only came in order of arrival lose it, if that was another order.
   */
  NodeOrder sorted() {
    return sorted(0);
  }

  /**
   * The same of rows that are not quite in order of ROWTIME.
   *
   * @param behind how far a row may be behind an earlier one, in milliseconds
   */
  NodeOrder sorted(long behind) {
    if (clock == null) {
      return this;
    }
    FieldOrder time = rowtime < 0 ? null : fields.get(rowtime);
    long spread = Modulus.plus(behind, time == null ? 0 : time.spread());
    boolean rearranged = behind > 0 || time == null || time.disorder() > 0;
    List<FieldOrder> sorted = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      FieldOrder field = fields.get(i);
      List<ClockStep> steps = field.derivesFromRowtime() ? ClockStep.relative(field.steps(), clock) : null;
      if (steps != null) {
        sorted.add(field.withDisorder(i == rowtime ? behind : Modulus.plus(field.spread(), ClockStep.apart(steps, spread))));
      } else {
        boolean keeps = field.monotonicity() == Monotonicity.CONSTANT || !rearranged;
        sorted.add(keeps ? field : FieldOrder.NONE);
      }
    }
    return withFields(sorted);
  }

  /**
   * Returns the order of the same rows in another order than that of arrival, which columns lose that only had that.
   *
   * @param behind how far a row may then be behind an earlier one, in milliseconds
   */
  NodeOrder rearranged(long behind) {
    List<FieldOrder> others = new ArrayList<>();
    for (FieldOrder field : fields) {
      List<ClockStep> steps = clock != null && field.derivesFromRowtime() ? ClockStep.relative(field.steps(), clock) : null;
      long disorder = steps == null || behind == 0 ? 0 : Modulus.plus(field.spread(), ClockStep.apart(steps, behind));
      others.add(field.derivesFromRowtime() ? field.withDisorder(Math.max(field.disorder(), disorder))
          : field.monotonicity() == Monotonicity.CONSTANT ? field : FieldOrder.NONE);
    }
    return withFields(others);
  }

  /** Returns the order of the same rows with additional columns whose order is unknown. */
  NodeOrder append(int count) {
    List<FieldOrder> all = new ArrayList<>(fields);
    all.addAll(Collections.nCopies(count, FieldOrder.NONE));
    return withFields(all);
  }
}
