package io.rowtime.plan.rewrite;

import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.rel.ChangeScan;
import io.rowtime.plan.rel.ChangingRows;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.UpdatingJoin;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Until when rows of a join of two whole streams can get another match. {@code bid.ROWTIME BETWEEN auction.ROWTIME AND auction.expires}
 * limits no distance, but no bid after {@code expires} matches an auction, and no auction after a bid matches it.
 *
 * @param left when rows of the left input have had their last match; null if they can always get another one
 * @param right the same of the right input
 */
public record LastMatches(End left, End right) {
  private static final LastMatches NONE = new LastMatches(null, null);

  /**
   * A row matches no row of the other input whose ROWTIME is later than the value of a column and so many milliseconds.
   *
   * @param column the column; a row whose value is NULL matches nothing
   */
  public record End(int column, long millis) {}

  /** Rows that can be retracted need those that they matched, so only joins of rows that are only added are limited. */
  public static LastMatches of(UpdatingJoin join, OrderAnalysis orders) {
    if (join.keys().others().isEmpty() || join.getInputs().stream().anyMatch(input -> !hasTime(input, orders))) {
      return NONE;
    }
    NodeOrder left = orders.of(join.getLeft());
    NodeOrder right = orders.of(join.getRight());
    int width = left.fields().size();
    TimeBounds.Distance distance = new TimeBounds(join, orders).of(List.of(join.getCondition()));
    List<RexNode> conditions = RelOptUtil.conjunctions(join.getCondition());
    return new LastMatches(distance.most() != null ? new End(left.rowtime(), distance.most()) : named(conditions, width + right.rowtime(), 0, width),
        distance.least() != null ? new End(right.rowtime(), -distance.least())
            : named(conditions, left.rowtime(), width, width + right.fields().size()));
  }

  private static boolean hasTime(RelNode input, OrderAnalysis orders) {
    NodeOrder order = orders.of(input);
    return order.hasClock() && order.rowtime() >= 0 && !input.getRowType().getFieldList().get(order.rowtime()).getType().isNullable()
        && Plans.nodes(input).noneMatch(rel -> rel instanceof ChangingRows || rel instanceof ChangeScan);
  }

  /** Returns the column of one input, those from {@code first} to {@code end}, that a condition says is not before the ROWTIME of the other one. */
  private static End named(List<RexNode> conditions, int rowtime, int first, int end) {
    for (RexNode condition : conditions) {
      if (condition instanceof RexCall call && call.getOperands().size() == 2) {
        RexNode one = call.getOperands().get(0);
        RexNode other = call.getOperands().get(1);
        boolean upward = call.isA(SqlKind.LESS_THAN) || call.isA(SqlKind.LESS_THAN_OR_EQUAL);
        boolean downward = call.isA(SqlKind.GREATER_THAN) || call.isA(SqlKind.GREATER_THAN_OR_EQUAL);
        RexNode later = upward ? other : downward ? one : null;
        RexNode earlier = upward ? one : other;
        if (later instanceof RexInputRef column && earlier instanceof RexInputRef time && time.getIndex() == rowtime
            && column.getIndex() >= first && column.getIndex() < end && column.getType().getSqlTypeName() == SqlTypeName.TIMESTAMP) {
          return new End(column.getIndex() - first, 0);
        }
      }
    }
    return null;
  }
}
