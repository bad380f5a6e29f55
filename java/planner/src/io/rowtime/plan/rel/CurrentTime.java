package io.rowtime.plan.rel;

import io.rowtime.validate.function.RowtimeOperators;
import java.util.Set;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.SqlTypeName;

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

  /**
   * Returns whether an expression depends on the time that goes on, and not only on {@code PROCTIME()}: that is the time at which its row is
   * processed, once and for all.
   */
  public static boolean goesOn(RexNode expression) {
    return Variation.calls(expression, operator -> operator.isDynamicFunction() && operator != RowtimeOperators.PROCTIME);
  }

  /** Returns whether a condition within an expression depends on the current time, and so becomes true or false as time goes on. */
  public static boolean inCondition(RexNode expression) {
    if (expression.getType().getSqlTypeName() == SqlTypeName.BOOLEAN) {
      return in(expression);
    }
    return expression instanceof RexCall call && call.getOperands().stream().anyMatch(CurrentTime::inCondition);
  }
}
