package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.rel.HopWindows;
import java.util.ArrayList;
import java.util.List;

/** HOP: the start and end of a row's windows advance with the row's time, and go back as far as its windows overlap. */
final class HopOrder implements RelOrder<HopWindows> {

  @Override public NodeOrder derive(HopWindows hop, List<NodeOrder> inputs) {
    NodeOrder input = inputs.get(0);
    FieldOrder time = new RexOrder(input.fields()).of(hop.time());
    HopWindows.Period period = hop.period();
    FieldOrder start = FieldOrder.NONE;
    if (time.monotonicity().increasing()) {
      List<ClockStep> steps = time.steps() == null ? null : new ArrayList<>(time.steps());
      if (steps != null) {
        steps.addAll(period.firstStart());
      }
      start = new FieldOrder(Monotonicity.INCREASING, time.disorder() + Math.max(0, period.size() - period.slide()), steps);
    }
    List<FieldOrder> fields = new ArrayList<>(input.fields());
    fields.add(start);
    fields.add(start.then(ClockStep.shift(period.size()), true));
    return input.withFields(fields);
  }
}
