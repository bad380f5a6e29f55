package io.rowtime.plan.rel;

import java.util.Set;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/** The functions that return the current time. */
public final class CurrentTime {
  private static final Set<String> TIMESTAMPS = Set.of("CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "CURRENT_DATETIME", "NOW");

  private CurrentTime() {}

  /** Returns whether an expression is the current time as a TIMESTAMP. */
  public static boolean is(RexNode expression) {
    return expression instanceof RexCall call && TIMESTAMPS.contains(call.getOperator().getName());
  }

  /** Returns whether an expression depends on the current time. */
  public static boolean in(RexNode expression) {
    Calls calls = new Calls();
    expression.accept(calls);
    return calls.found;
  }

  private static final class Calls extends RexShuttle {
    private boolean found;

    @Override public RexNode visitCall(RexCall call) {
      found |= call.getOperator().isDynamicFunction();
      return super.visitCall(call);
    }
  }
}
