package io.rowtime.plan.monotone;

import io.rowtime.plan.rel.SessionWindows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * SESSION as a table function emits the rows of a session together once it has ended. The end of the session therefore
 * increases, and is the clock of the output. The rows' own times go back with each session.
 */
final class SessionWindowsOrder implements RelOrder<SessionWindows> {

  @Override public NodeOrder derive(SessionWindows sessions, List<NodeOrder> inputs) {
    FieldOrder time = inputs.get(0).fields().get(sessions.time());
    List<FieldOrder> fields = new ArrayList<>(Collections.nCopies(sessions.getRowType().getFieldCount(), FieldOrder.NONE));
    if (!time.derivesFromRowtime()) {
      return new NodeOrder(fields, null, -1);
    }
    // The end of an open session is not before the bound.
    FieldOrder end = FieldOrder.byClock(time.steps(), 0, 0);
    fields.set(sessions.start() + 1, end);
    if (sessions.keys().isEmpty()) {
      fields.set(sessions.start(), FieldOrder.of(Monotonicity.INCREASING, 0));
    }
    return new NodeOrder(fields, end.steps(), sessions.start() + 1);
  }
}
