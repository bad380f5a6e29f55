package io.rowtime.plan.physical;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.RexConstants;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.progress.KeyClosing;
import io.rowtime.plan.rel.HopWindows;
import java.math.BigInteger;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * A streaming GROUP BY HOP that one of rowtime's operators computes: {@link HopPanes} has split it into two
 * aggregations with the HOP between them.
 *
 * @param windows the aggregation by window
 * @param panes the aggregation by pane
 * @param columns for each field of the input of {@code windows}, the index of the field of {@code hop}
 * @param late how far the clock of the input is ahead of the start of a pane when the pane closes, in milliseconds
 */
public record HopAggregation(Aggregate windows, HopWindows hop, Aggregate panes, List<Integer> columns, long late) {

  /**
   * Recognizes such an aggregation; returns null for any other one, or if its clock depends on calendar units or local
   * time.
   */
  public static HopAggregation of(Aggregate aggregate, OrderAnalysis orders) {
    if (!(aggregate.getInput() instanceof Project project) || !(project.getInput() instanceof HopWindows hop)
        || !(hop.getInput() instanceof PaneAggregate panes)) {
      return null;
    }
    KeyClosing closing = KeyClosing.of(panes, orders);
    List<ClockStep> clock = orders.of(panes.getInput()).clock();
    KeyClosing whole = KeyClosing.of(aggregate, orders);
    // With ROWTIME as another key, a group is complete before its window is.
    boolean byWindow = whole == null || project.getProjects().get(whole.key()) instanceof RexInputRef ref
        && ref.getIndex() >= panes.getRowType().getFieldCount();
    if (closing == null || !byWindow || closing.key() != 0 || clock.stream().anyMatch(ClockStep::varies)
        || !panes.getAggCallList().stream().allMatch(call -> isPlain(call.getType()))) {
      return null;
    }
    RexNode start = aggregate.getCluster().getRexBuilder().makeInputRef(panes.getInput(), 0);
    Long after = after(closing.closes(aggregate.getCluster().getRexBuilder(), start));
    long length = BigInteger.valueOf(hop.period().slide()).gcd(BigInteger.valueOf(hop.period().size())).longValue();
    return after == null ? null : new HopAggregation(aggregate, hop, panes,
        project.getProjects().stream().map(expr -> ((RexInputRef) expr).getIndex()).toList(), after - length);
  }

  /** Returns the rows to be grouped; the first field is the start of a row's pane. */
  public RelNode input() {
    return panes.getInput();
  }

  /** Returns the call that combines the rows of a pane, for a call of {@code windows} that merges the results. */
  public AggregateCall partial(AggregateCall merging) {
    return panes.getAggCallList().get(columns.get(merging.getArgList().get(0)) - panes.getGroupCount());
  }

  /**
   * Returns the field of the input that a key of {@code windows} is; -1 for the start of the window, -2 for its end.
   */
  public int key(int key) {
    int column = columns.get(key) - panes.getRowType().getFieldCount();
    return column < 0 ? panes.getGroupSet().nth(columns.get(key)) : -1 - column;
  }

  /** A sum of approximate numbers, rounded several times, would depend on which rows are combined. */
  public boolean combines() {
    return panes.getAggCallList().stream().noneMatch(call -> call.getAggregation() == SqlStdOperatorTable.SUM
        && SqlTypeUtil.isApproximateNumeric(call.getType()));
  }

  /** Returns whether values are totally ordered, which those of rows and maps are not. */
  private static boolean isPlain(RelDataType type) {
    return SqlTypeUtil.isNumeric(type) || SqlTypeUtil.inCharFamily(type) || SqlTypeUtil.isDatetime(type);
  }

  /** Returns how many milliseconds after its start a pane closes; null if that is not a constant. */
  private static Long after(RexNode closes) {
    if (closes instanceof RexInputRef) {
      return 0L;
    }
    if (closes instanceof RexCall call && call.getOperator() == SqlStdOperatorTable.DATETIME_PLUS) {
      Long before = after(call.getOperands().get(0));
      Long millis = RexConstants.millis(call.getOperands().get(1));
      return before == null || millis == null ? null : Long.valueOf(before + millis);
    }
    return null;
  }
}
