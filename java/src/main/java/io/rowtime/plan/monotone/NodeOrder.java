package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What is known of the order of a node's rows.
 *
 * @param fields one entry for each output column
 * @param clock how the bound of the node's ROWTIME follows from the bound of its sources; null if the node has none
 * @param rowtime index of the column that is the node's ROWTIME, or -1 where it is not among the columns
 */
public record NodeOrder(List<FieldOrder> fields, List<ClockStep> clock, int rowtime) {

  /** A relation: its rows arrive in no order. */
  public static NodeOrder relation(int fieldCount) {
    return new NodeOrder(Collections.nCopies(fieldCount, FieldOrder.NONE), null, -1);
  }

  public boolean hasClock() {
    return clock != null;
  }

  /** Whether a column advances as the bound of the node's ROWTIME does. */
  public boolean isByClock(int column) {
    List<ClockStep> steps = fields.get(column).steps();
    return steps != null && steps.equals(clock);
  }

  NodeOrder withFields(List<FieldOrder> others) {
    return new NodeOrder(others, clock, rowtime);
  }

  /** The same rows with columns after them of which nothing is known. */
  NodeOrder append(int count) {
    List<FieldOrder> all = new ArrayList<>(fields);
    all.addAll(Collections.nCopies(count, FieldOrder.NONE));
    return withFields(all);
  }
}
