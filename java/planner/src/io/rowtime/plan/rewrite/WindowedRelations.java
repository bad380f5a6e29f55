package io.rowtime.plan.rewrite;

import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.IntervalJoin.Interval;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.WindowedInput;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.Util;

/**
 * Rewrites joins of relations with windows in FROM to plain joins with a condition on the rows' times: both rows are in
 * their windows at a common base time. The result is the same as that of an {@link IntervalJoin} of streams after all
 * rows have arrived.
 */
final class WindowedRelations {
  /**
   * When a row starts and stops being present (NULL: never stops), and its ROWTIME without a match (NULL: not known
   * yet).
   */
  private static final List<String> TIMES = List.of("window$begins", "window$ends", "window$last");

  private final RexBuilder rex;

  private WindowedRelations(RexBuilder rex) {
    this.rex = rex;
  }

  static RelNode replace(RelNode plan, Origins origins) {
    RelNode joins = Plans.nodes(plan).flatMap(node -> Plans.subQueries(node).stream()).anyMatch(WindowedRelations::hasWindow)
        ? origins.rewrite(SemiJoins.replace(plan, true, origins), node -> inSubQueries(node, origins)) : plan;
    boolean windows = hasWindow(joins);
    RelNode timed = windows ? IntervalJoins.ofWindows(joins, origins) : ofConditions(joins, origins);
    RelNode found = JoinRowtimes.ofRelations(timed, windows, origins);
    WindowedRelations relations = new WindowedRelations(plan.getCluster().getRexBuilder());
    return timed == joins ? found : origins.rewrite(found, (original, node) -> node instanceof IntervalJoin join ? relations.plainJoin((IntervalJoin) original, join) : node);
  }

  private static RelNode inSubQueries(RelNode node, Origins origins) {
    return Plans.subQueries(node).isEmpty() ? node : node.accept(new RexShuttle() {
      @Override public RexNode visitSubQuery(RexSubQuery query) {
        return ((RexSubQuery) super.visitSubQuery(query)).clone(replace(query.rel, origins));
      }
    });
  }

  /** An outer join whose ROWTIME a query uses has the one that it would have as a join of streams. */
  private static RelNode ofConditions(RelNode plan, Origins origins) {
    Set<RelNode> outer = JoinRowtimes.outerJoins(plan);
    return outer.isEmpty() ? plan : IntervalJoins.ofConditions(plan, outer, origins);
  }

  private static boolean hasWindow(RelNode plan) {
    return Plans.nodes(plan).anyMatch(WindowedInput.class::isInstance);
  }

  /** The rows of an input, with the times of {@link #TIMES} after its {@code count} columns. */
  private record Side(RelNode rows, int count) {
    int width() {
      return count + TIMES.size();
    }
  }

  /** @param original the join before its inputs were rewritten */
  private RelNode plainJoin(IntervalJoin original, IntervalJoin join) {
    OrderAnalysis orders = new OrderAnalysis(StreamingNodes.of(original, true));
    Side left = side(join.getLeft(), join.leftInterval(), orders.of(original.getLeft()).rowtime());
    Side right = side(join.getRight(), join.rightInterval(), orders.of(original.getRight()).rowtime());
    int between = left.width();
    List<RexNode> begins = List.of(time(left.rows, left.count, 0), RexUtil.shift(time(right.rows, right.count, 0), between));
    List<RexNode> ends = List.of(time(left.rows, left.count, 1), RexUtil.shift(time(right.rows, right.count, 1), between));
    List<RexNode> conditions = new ArrayList<>(List.of(RexUtil.shift(join.getCondition(), left.count, TIMES.size()),
        beginsWithin(begins.get(0), ends.get(1)), beginsWithin(begins.get(1), ends.get(0))));
    // Of the rows with one time, only the last ones are present.
    if (join.leftInterval().rows() > 0) {
      conditions.add(beginsWithin(begins.get(0), ends.get(0)));
    }
    if (join.rightInterval().rows() > 0) {
      conditions.add(beginsWithin(begins.get(1), ends.get(1)));
    }
    RelNode joined = LogicalJoin.create(left.rows, right.rows, List.of(), RexUtil.composeConjunction(rex, conditions), Set.of(),
        join.getJoinType());
    List<RexNode> columns = new ArrayList<>(rex.identityProjects(joined.getRowType()).subList(0, left.count));
    if (join.getJoinType().projectsRight()) {
      RexNode rowtime = rowtime(joined, left, right);
      if (isOpen(join)) {
        // A row that no later row has replaced yet has no time.
        joined = LogicalFilter.create(joined, rex.makeCall(SqlStdOperatorTable.IS_NOT_NULL, rowtime));
      }
      columns.addAll(rex.identityProjects(joined.getRowType()).subList(between, between + right.count));
      if (join.hasRowtime()) {
        columns.add(rex.ensureType(Util.last(join.getRowType().getFieldList()).getType(), rowtime, true));
      }
    }
    return LogicalProject.create(joined, List.of(), columns, join.getRowType().getFieldNames(), Set.of());
  }

  /** Returns whether a row without a match may be present forever. */
  private static boolean isOpen(IntervalJoin join) {
    return join.leftInterval().rows() > 0 && join.getJoinType().generatesNullsOnRight()
        || join.rightInterval().rows() > 0 && join.getJoinType().generatesNullsOnLeft();
  }

  private Side side(RelNode input, Interval interval, int rowtime) {
    int count = input.getRowType().getFieldCount();
    RelNode rows = interval.rows() == 0 ? input
        : AsofJoins.withNext(input, rowtime, List.of(), true, interval.rows());
    RexNode time = rex.makeInputRef(rows, rowtime);
    List<RexNode> columns = new ArrayList<>(rex.identityProjects(rows.getRowType()).subList(0, count));
    columns.add(Closing.plus(rex, time, interval.from()));
    if (interval.rows() == 0) {
      columns.addAll(Collections.nCopies(2, Closing.plus(rex, time, interval.to())));
    } else {
      RexNode next = rex.makeInputRef(rows, count);
      columns.addAll(List.of(Closing.plus(rex, next, -1), next));
    }
    List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
    names.addAll(TIMES);
    return new Side(LogicalProject.create(rows, List.of(), columns, names, Set.of()), count);
  }

  private RexNode time(RelNode rows, int count, int time) {
    return rex.makeInputRef(rows, count + time);
  }

  /** Returns the condition that a row starts being present before the other one stops. */
  private RexNode beginsWithin(RexNode begins, RexNode ends) {
    RexNode within = rex.makeCall(SqlStdOperatorTable.LESS_THAN_OR_EQUAL, begins, ends);
    return ends.getType().isNullable() ? rex.makeCall(SqlStdOperatorTable.OR, rex.makeCall(SqlStdOperatorTable.IS_NULL, ends), within) : within;
  }

  /**
   * Returns the first time at which both rows are present; without a match, the last time at which the row is present.
   */
  private RexNode rowtime(RelNode joined, Side left, Side right) {
    RexNode leftBegins = time(joined, left.count, 0);
    RexNode rightBegins = time(joined, left.width() + right.count, 0);
    List<RexNode> cases = new ArrayList<>();
    if (rightBegins.getType().isNullable()) {
      cases.addAll(List.of(rex.makeCall(SqlStdOperatorTable.IS_NULL, rightBegins), time(joined, left.count, 2)));
    }
    if (leftBegins.getType().isNullable()) {
      cases.addAll(List.of(rex.makeCall(SqlStdOperatorTable.IS_NULL, leftBegins), time(joined, left.width() + right.count, 2)));
    }
    cases.addAll(List.of(rex.makeCall(SqlStdOperatorTable.GREATER_THAN, leftBegins, rightBegins), leftBegins, rightBegins));
    return rex.makeCall(SqlStdOperatorTable.CASE, cases);
  }
}
