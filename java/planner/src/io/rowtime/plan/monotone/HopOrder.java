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
      FieldOrder first = time;
      for (ClockStep step : period.firstStart()) {
        first = first.then(step, false);
      }
      start = first.disordered((period.size() - 1) / period.slide() * period.slide());
    }
    List<FieldOrder> fields = new ArrayList<>(input.fields());
    fields.add(start);
    fields.add(start.then(ClockStep.shift(period.size()), true));
    return input.withFields(fields);
  }
}
