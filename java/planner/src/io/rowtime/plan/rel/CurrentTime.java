package io.rowtime.plan.rel;

import java.util.Set;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;

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
    return Variation.calls(expression, SqlOperator::isDynamicFunction);
  }
}
