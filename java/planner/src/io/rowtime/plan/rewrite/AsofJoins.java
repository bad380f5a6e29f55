package io.rowtime.plan.rewrite;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Plans;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AsofJoin;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexWindowBounds;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Rewrites ASOF joins with a relation to plain joins. Each row of the relation is the nearest one for the times from
 * its own up to that of the next row with the same keys. A left row has therefore at most one match: among rows of the
 * same time, the last.
 */
final class AsofJoins {
  private AsofJoins() {}

  static RelNode replace(RelNode plan, boolean streaming, Origins origins) {
    if (Plans.nodes(plan).noneMatch(AsofJoin.class::isInstance)) {
      return plan;
    }
    StreamingNodes streams = StreamingNodes.of(plan, streaming);
    return origins.rewrite(plan, (original, node) ->
        original instanceof AsofJoin join && !streams.contains(join.getRight()) ? plainJoin((AsofJoin) node) : node);
  }

  /**
   * The right row that a left row is joined with.
   *
   * @param comparison {@code left comparison right}: GREATER_THAN for the latest row before the left one
   * @param left the time of the left row
   * @param right the time of the right row, over the right side's columns
   * @param keys the keys, over the columns of the right side: one of the rows with equal keys is chosen
   */
  record Match(SqlOperator comparison, RexNode left, RexNode right, List<RexNode> keys) {
    boolean latest() {
      return isLatest(comparison.getKind());
    }
  }

  /** Returns whether {@code left comparison right} chooses the latest row on the right, and not the earliest. */
  static boolean isLatest(SqlKind comparison) {
    return comparison == SqlKind.GREATER_THAN || comparison == SqlKind.GREATER_THAN_OR_EQUAL;
  }

  /** Returns the type of a plain join that keeps the same rows. */
  static JoinRelType type(AsofJoin join) {
    return join.getJoinType() == JoinRelType.LEFT_ASOF ? JoinRelType.LEFT : JoinRelType.INNER;
  }

  private static RelNode plainJoin(AsofJoin join) {
    RexBuilder rex = join.getCluster().getRexBuilder();
    int width = join.getLeft().getRowType().getFieldCount();
    RexCall match = onLeft((RexCall) join.getMatchCondition(), width, rex);
    AsofWindow window = AsofWindow.of(join);
    RexNode condition = join.getCondition();
    if (window.isWindow()) {
      RexNode within = within(join, match, window);
      if (within == null) {
        // The window stays, as what does not run.
        return join;
      }
      condition = rex.makeCall(SqlStdOperatorTable.AND, condition, within);
    }
    RelNode joined = plainJoin(join.getLeft(), window.input(), type(join), condition,
        new Match(match.getOperator(), match.getOperands().get(0), RexUtil.shift(match.getOperands().get(1), -width), keys(join, width)));
    return LogicalProject.create(joined, List.of(), rex.identityProjects(joined.getRowType()), join.getRowType().getFieldNames(),
        Set.of());
  }

  /** Returns the condition that the right row is in the window; null if the nearest row may differ from the nearest one in the window. */
  private static RexNode within(AsofJoin join, RexCall match, AsofWindow window) {
    OrderAnalysis orders = new OrderAnalysis(StreamingNodes.of(join, true));
    int width = join.getLeft().getRowType().getFieldCount();
    int left = orders.of(join.getLeft()).rowtime();
    int right = orders.of(window.input()).rowtime();
    boolean byRowtime = left >= 0 && right >= 0 && isColumn(match.getOperands().get(0), left)
        && isColumn(match.getOperands().get(1), width + right) && window.holdsNearest(0, isLatest(match.getKind()));
    RexBuilder rex = join.getCluster().getRexBuilder();
    return !byRowtime ? null : window.isIn(rex, match.getOperands().get(0), match.getOperands().get(1));
  }

  private static boolean isColumn(RexNode expr, int column) {
    return expr instanceof RexInputRef ref && ref.getIndex() == column;
  }

  /** Joins each left row with the nearest right row among those with the same keys, if both satisfy the condition. */
  static RelNode plainJoin(RelNode left, RelNode right, JoinRelType type, RexNode condition, Match match) {
    RexBuilder rex = left.getCluster().getRexBuilder();
    int width = left.getRowType().getFieldCount();
    int count = right.getRowType().getFieldCount();

    List<RexNode> columns = new ArrayList<>(rex.identityProjects(right.getRowType()));
    columns.add(match.right);
    RelNode timed = LogicalProject.create(right, List.of(), columns, namesWith(right, "asof$time"), Set.of());
    RexNode time = RexInputRef.of(count, timed.getRowType());
    RelDataType nullable = left.getCluster().getTypeFactory().createTypeWithNullability(time.getType(), true);
    RelNode ranges = withNext(timed, count, match.keys, match.latest());

    RexNode begins = rex.makeInputRef(time.getType(), width + count);
    RexNode ends = rex.makeInputRef(nullable, width + count + 1);
    RexNode meets = RexUtil.composeConjunction(rex, List.of(condition, rex.makeCall(match.comparison, match.left, begins),
        rex.makeCall(SqlStdOperatorTable.OR, rex.makeCall(SqlStdOperatorTable.IS_NULL, ends),
            rex.makeCall(SqlStdOperatorTable.NOT, rex.makeCall(match.comparison, match.left, ends)))));
    RelNode joined = LogicalJoin.create(left, ranges, List.of(), meets, Set.of(), type);
    return LogicalProject.create(joined, List.of(), rex.identityProjects(joined.getRowType()).subList(0, width + count),
        joined.getRowType().getFieldNames().subList(0, width + count), Set.of());
  }

  /**
   * Returns the rows with one more column: the time of the next row with the same keys, or of the previous one if not
   * {@code latest}; NULL if there is none.
   */
  static RelNode withNext(RelNode rows, int column, List<RexNode> keys, boolean latest) {
    return withNext(rows, column, keys, latest, 1);
  }

  /** @param after how many rows ahead the time is taken from */
  static RelNode withNext(RelNode rows, int column, List<RexNode> keys, boolean latest, int after) {
    RexBuilder rex = rows.getCluster().getRexBuilder();
    RexNode time = RexInputRef.of(column, rows.getRowType());
    RelDataType nullable = rows.getCluster().getTypeFactory().createTypeWithNullability(time.getType(), true);
    RexNode next = rex.makeOver(nullable, SqlStdOperatorTable.LEAD, after == 1 ? List.of(time) : List.of(time, rex.makeExactLiteral(BigDecimal.valueOf(after))), keys,
        ImmutableList.of(new RexFieldCollation(time, latest ? ImmutableSet.of() : ImmutableSet.of(SqlKind.DESCENDING))),
        RexWindowBounds.UNBOUNDED_PRECEDING, RexWindowBounds.UNBOUNDED_FOLLOWING, RexWindowExclusion.EXCLUDE_NO_OTHER, true, true,
        false, false, false);
    List<RexNode> columns = new ArrayList<>(rex.identityProjects(rows.getRowType()));
    columns.add(next);
    return LogicalProject.create(rows, List.of(), columns, namesWith(rows, "asof$next"), Set.of());
  }

  /** Returns the comparison, reversed if necessary so that its left side reads the left input. */
  static RexCall onLeft(RexCall match, int width, RexBuilder rex) {
    boolean swapped = RelOptUtil.InputFinder.bits(match.getOperands().get(0)).nextSetBit(width) >= 0;
    return swapped ? (RexCall) RexUtil.invert(rex, match) : match;
  }

  /** Returns the expressions of the right input that are equal in matching rows. */
  private static List<RexNode> keys(AsofJoin join, int width) {
    List<RexNode> keys = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
      if (conjunct instanceof RexCall call && call.getKind() == SqlKind.EQUALS) {
        call.getOperands().stream().filter(side -> RelOptUtil.InputFinder.bits(side).nextSetBit(width) >= 0)
            .forEach(side -> keys.add(RexUtil.shift(side, -width)));
      }
    }
    return keys;
  }

  private static List<String> namesWith(RelNode rel, String added) {
    List<String> names = new ArrayList<>(rel.getRowType().getFieldNames());
    names.add(added);
    return names;
  }
}
