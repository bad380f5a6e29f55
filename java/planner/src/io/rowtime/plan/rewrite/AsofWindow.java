package io.rowtime.plan.rewrite;

import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.rel.WindowedInput;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AsofJoin;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * The window on the right side of an ASOF join, around the ROWTIME of each left row. It limits how far away the nearest row can be.
 *
 * @param input the right side without its window
 * @param frame null if there is no window
 */
record AsofWindow(RelNode input, WindowedInput.Frame frame) {

  static AsofWindow of(AsofJoin join) {
    return new AsofWindow(JoinWindows.input(join.getRight()), JoinWindows.frame(join.getRight()));
  }

  boolean isWindow() {
    return frame != null;
  }

  /**
   * Returns whether no row in the window can be nearer than the nearest row of all, so that the latter is the only candidate.
   *
   * @param shift the time whose nearest row is taken, in milliseconds after the left row's ROWTIME
   * @param latest whether the nearest row before this time is taken, and not the one after it
   */
  boolean holdsNearest(long shift, boolean latest) {
    return frame == null || !frame.rows() && (latest ? frame.upper().distance() >= shift : frame.lower().distance() <= shift);
  }

  /** Returns the end of the window, in milliseconds after the left row's ROWTIME. */
  long end() {
    return frame.upper().distance();
  }

  /** Returns the condition that a row is in the window around a time. */
  RexNode isIn(RexBuilder rex, RexNode time, RexNode row) {
    return RexUtil.composeConjunction(rex, List.of(
        rex.makeCall(SqlStdOperatorTable.GREATER_THAN_OR_EQUAL, row, Closing.plus(rex, time, frame.lower().distance())),
        rex.makeCall(SqlStdOperatorTable.LESS_THAN_OR_EQUAL, row, Closing.plus(rex, time, frame.upper().distance()))));
  }
}
