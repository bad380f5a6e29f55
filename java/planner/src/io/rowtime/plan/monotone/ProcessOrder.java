package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.rel.TableProcess;
import java.util.Collections;
import java.util.ArrayList;
import java.util.List;

/** A function over a table: its rows are emitted in order of their ROWTIME, which lags behind by the declared delay. */
final class ProcessOrder implements RelOrder<TableProcess> {

  @Override public NodeOrder derive(TableProcess process, List<NodeOrder> inputs) {
    NodeOrder input = inputs.get(0);
    List<ClockStep> clock = goesByRowtime(process, input) ? ClockStep.withShift(input.clock(), -process.function().delay()) : null;
    List<FieldOrder> fields = new ArrayList<>();
    fields.add(clock == null ? FieldOrder.NONE : FieldOrder.byClock(clock, 0, 0));
    fields.addAll(Collections.nCopies(process.getRowType().getFieldCount() - 1, FieldOrder.NONE));
    return new NodeOrder(fields, clock, clock == null ? -1 : 0);
  }

  private static boolean goesByRowtime(TableProcess process, NodeOrder input) {
    return input.hasClock() && input.rowtime() == process.time();
  }
}
