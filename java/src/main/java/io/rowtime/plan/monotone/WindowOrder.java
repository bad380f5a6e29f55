package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.core.Window;

/** OVER adds columns of which nothing is known; rows that wait for the end of their frames set the clock back. */
final class WindowOrder implements RelOrder<Window> {

  @Override public NodeOrder derive(Window window, List<NodeOrder> inputs) {
    NodeOrder input = inputs.get(0);
    NodeOrder wider = input.append(window.getRowType().getFieldCount() - input.fields().size());
    return delayed(input, wider, new WindowTiming(window, input).clock());
  }

  /**
   * The order of rows that have waited.
   *
   * @param wider that of rows which have not, and which have more columns than the input
   * @param clock of the rows that come out; null if no bound can be told
   */
  static NodeOrder delayed(NodeOrder input, NodeOrder wider, List<ClockStep> clock) {
    if (clock == null || clock.equals(input.clock())) {
      return clock == null ? new NodeOrder(untied(wider.fields()), null, input.rowtime()) : wider;
    }
    List<FieldOrder> fields = new ArrayList<>();
    for (FieldOrder order : wider.fields()) {
      List<ClockStep> rest = order.derivesFromRowtime() ? ClockStep.relative(order.steps(), input.clock()) : null;
      List<ClockStep> steps = null;
      if (rest != null) {
        steps = new ArrayList<>(clock);
        steps.addAll(rest);
      }
      fields.add(new FieldOrder(order.monotonicity(), order.disorder(), steps));
    }
    return new NodeOrder(fields, clock, input.rowtime());
  }

  private static List<FieldOrder> untied(List<FieldOrder> fields) {
    return fields.stream().map(order -> new FieldOrder(order.monotonicity(), order.disorder(), null)).toList();
  }
}
