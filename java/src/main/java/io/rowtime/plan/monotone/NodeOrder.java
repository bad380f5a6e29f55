package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
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

  /** Returns the order of the same rows with additional columns whose order is unknown. */
  NodeOrder append(int count) {
    List<FieldOrder> all = new ArrayList<>(fields);
    all.addAll(Collections.nCopies(count, FieldOrder.NONE));
    return withFields(all);
  }
}
