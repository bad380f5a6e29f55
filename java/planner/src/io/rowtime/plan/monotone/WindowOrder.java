package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.core.Window;

/** OVER adds columns of unknown order. Rows that wait for the end of their frames set the clock back. */
final class WindowOrder implements RelOrder<Window> {

  @Override public NodeOrder derive(Window window, List<NodeOrder> inputs) {
    NodeOrder input = inputs.get(0);
    NodeOrder wider = input.append(window.getRowType().getFieldCount() - input.fields().size());
    WindowTiming timing = new WindowTiming(window, input);
    NodeOrder output = afterWaiting(input, wider, timing.clock());
    return timing.sorts() ? output.sorted(timing.behind()) : timing.rearranges() ? output.rearranged(timing.behind()) : output;
  }

  /**
   * Returns the order of rows after waiting.
   *
   * @param wider the order of the rows before waiting; they have more columns than the input
   * @param clock the clock of the output rows; null if no bound can be derived
   */
  static NodeOrder afterWaiting(NodeOrder input, NodeOrder wider, List<ClockStep> clock) {
    if (clock == null || clock.equals(input.clock())) {
      return clock == null ? new NodeOrder(wider.fields().stream().map(order -> order.withSteps(null)).toList(), null, input.rowtime()) : wider;
    }
    List<FieldOrder> fields = new ArrayList<>();
    for (FieldOrder order : wider.fields()) {
      List<ClockStep> rest = order.derivesFromRowtime() ? ClockStep.relative(order.steps(), input.clock()) : null;
      List<ClockStep> steps = null;
      if (rest != null) {
        steps = new ArrayList<>(clock);
        steps.addAll(rest);
      }
      fields.add(order.withSteps(steps));
    }
    return new NodeOrder(fields, clock, input.rowtime());
  }
}
