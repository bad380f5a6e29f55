package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.rel.SessionAggregate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * GROUP BY SESSION emits sessions when they end, so their latest time increases; their earliest time does so only if
 * there is no other key.
 */
final class SessionOrder implements RelOrder<SessionAggregate> {

  @Override public NodeOrder derive(SessionAggregate aggregate, List<NodeOrder> inputs) {
    FieldOrder time = inputs.get(0).fields().get(aggregate.timeKey());
    List<Integer> keys = aggregate.getGroupSet().asList();
    boolean alone = keys.size() == 1 && time.monotonicity().increasing();
    List<FieldOrder> fields = new ArrayList<>(Collections.nCopies(aggregate.getRowType().getFieldCount(), FieldOrder.NONE));
    if (alone) {
      fields.set(0, FieldOrder.of(Monotonicity.STRICTLY_INCREASING, 0));
    }
    int latest = -1;
    for (int i = 0; i < aggregate.getAggCallList().size(); i++) {
      if (aggregate.isLatest(aggregate.getAggCallList().get(i)) && time.derivesFromRowtime()) {
        latest = keys.size() + i;
        // The times of an open session are less than one gap ago.
        FieldOrder order = time.then(ClockStep.shift(-aggregate.gap()), true);
        fields.set(latest, FieldOrder.byClock(order.steps(), 0, 0).with(alone ? Monotonicity.STRICTLY_INCREASING : Monotonicity.INCREASING));
      }
    }
    return new NodeOrder(fields, latest < 0 ? null : fields.get(latest).steps(), latest);
  }
}
