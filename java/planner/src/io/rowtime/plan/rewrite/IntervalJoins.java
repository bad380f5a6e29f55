package io.rowtime.plan.rewrite;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Changelogs;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.IntervalJoin.Interval;
import io.rowtime.plan.rel.JoinKeys;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.UpdatingJoin;
import io.rowtime.plan.rel.WindowedInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AsofJoin;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.rules.FilterJoinRule;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Finds joins of two streams that are bounded in time, by windows in FROM or by conditions on their ROWTIMEs, and
 * replaces them by {@link IntervalJoin}s; below TO_CHANGELOG, or a table that gets the changes, the others by {@link UpdatingJoin}s.
 *
 * <p>If conditions bound a join, its ROWTIME is the one that the query uses: the left row's, or the right row's, if the
 * query selects, groups or sorts by it; else the later of the two. If windows bound it, they define the ROWTIME.
 */
final class IntervalJoins {
  /** Only above a join its ROWTIME is known. */
  private static final RelOptRule FILTER_INTO_JOIN = CoreRules.FILTER_INTO_JOIN.config.as(FilterJoinRule.FilterIntoJoinRule.FilterIntoJoinRuleConfig.class)
      .withPredicate((join, type, condition) -> !JoinRowtimes.isCalledIn(condition)).as(FilterJoinRule.FilterIntoJoinRule.FilterIntoJoinRuleConfig.class).toRule();

  private final StreamingNodes streams;
  private final Origins origins;

  private IntervalJoins(StreamingNodes streams, Origins origins) {
    this.streams = streams;
    this.origins = origins;
  }

  static RelNode replace(RelNode plan, Origins origins, boolean mayChange) {
    if (Plans.nodes(plan).noneMatch(Join.class::isInstance)) {
      return TemporalFilters.replace(plan, origins);
    }
    // Conditions in WHERE also apply to the join, or to one of its inputs: before windows of RANGE, which then contain
    // fewer rows, but not before windows of ROWS.
    RelNode kept = TemporalFilters.replaceAboveLookups(plan, origins);
    RelNode pushed = Plans.nodes(kept).anyMatch(rel -> rel instanceof WindowedInput windowed && windowed.frame().rows()) ? kept
        : withoutRowtime(origins.apply(kept, FILTER_INTO_JOIN, CoreRules.JOIN_CONDITION_PUSH), true, origins);
    // A condition on the current time limits what a join keeps, once it has got below it.
    RelNode ordered = TemporalFilters.replace(JoinOrdering.apply(pushed, origins), origins);
    return JoinRowtimes.resolve(new IntervalJoins(StreamingNodes.of(ordered, true), origins).visit(ordered, List.of(), mayChange), origins);
  }

  /**
   * If a condition removes the rows without a match, Calcite puts a projection above the join that only restores the
   * nullability of the columns. In it, a column with the name ROWTIME is not one that the query uses as its time.
   *
   * @param shown whether the names of the columns are those of the result
   */
  private static RelNode withoutRowtime(RelNode rel, boolean shown, Origins origins) {
    boolean passes = rel instanceof Filter || rel instanceof Sort;
    RelNode same = origins.withInputs(rel, rel.getInputs().stream().map(input -> withoutRowtime(input, shown && passes, origins)).toList());
    return shown || !(same instanceof LogicalProject project) || !(project.getInput() instanceof Join) || !restoresNullability(project) ? same
        : origins.recordReplacement(rel, LogicalProject.create(project.getInput(), project.getHints(), project.getProjects(),
            JoinRowtimes.ofInputs(project.getRowType().getFieldNames()), project.getVariablesSet()));
  }

  private static boolean restoresNullability(LogicalProject project) {
    return project.getProjects().stream().allMatch(JoinRowtimes::isColumn)
        && project.getProjects().stream().anyMatch(expr -> expr.isA(SqlKind.CAST) && SqlTypeUtil.equalSansNullability(expr.getType(),
            ((RexCall) expr).getOperands().get(0).getType()));
  }

  /** Returns the joins of relations whose inputs have windows. A row without a ROWTIME is in no window. */
  static RelNode ofWindows(RelNode plan, Origins origins) {
    OrderAnalysis orders = new OrderAnalysis(StreamingNodes.of(plan, true));
    return JoinRowtimes.resolve(origins.rewrite(plan, (original, node) -> {
      boolean windows = node instanceof Join && !(node instanceof AsofJoin) && (JoinWindows.frame(node.getInput(0)) != null || JoinWindows.frame(node.getInput(1)) != null)
          && original.getInputs().stream().allMatch(input -> orders.of(input).rowtime() >= 0);
      IntervalJoin found = windows ? of((Join) node, List.of()) : null;
      return found == null ? node : found;
    }), origins);
  }

  /** Returns those of some joins of relations that conditions on the ROWTIMEs bound, as joins of streams are. */
  static RelNode ofConditions(RelNode plan, Set<RelNode> joins, Origins origins) {
    OrderAnalysis orders = new OrderAnalysis(StreamingNodes.of(plan, true));
    return JoinRowtimes.resolve(origins.rewrite(plan, (original, node) -> {
      boolean timed = joins.contains(original) && original.getInputs().stream().allMatch(input -> orders.of(input).rowtime() >= 0);
      IntervalJoin found = timed ? of((Join) node, List.of()) : null;
      return found == null ? node : found.withRowtime(original.getInputs().stream()
          .anyMatch(input -> input.getRowType().getFieldList().get(orders.of(input).rowtime()).getType().isNullable()));
    }), origins);
  }

  /**
   * @param asked the columns of {@code rel} that the query uses as its time; the first suitable one counts
   * @param changelog whether TO_CHANGELOG, or a table that gets the changes, is above, so that joins without a limit in time run as well
   */
  private RelNode visit(RelNode rel, List<Integer> asked, boolean changelog) {
    List<RelNode> inputs = new ArrayList<>();
    for (int i = 0; i < rel.getInputs().size(); i++) {
      inputs.add(visit(rel.getInput(i), below(rel, i, asked), changelog || Changelogs.isChangelog(rel)));
    }
    RelNode same = origins.withInputs(rel, inputs);
    // When the query is planned into a target, joins that its own plan has replaced stay unchanged.
    if (rel instanceof IntervalJoin || rel instanceof UpdatingJoin || rel instanceof AsofJoin || !(rel instanceof Join join) || !streams.contains(join.getLeft()) || !streams.contains(join.getRight())) {
      return same;
    }
    IntervalJoin found = of((Join) same, asked);
    if (found == null) {
      // Windows in FROM stay where they are, and are reported.
      boolean updates = changelog && JoinWindows.frame(join.getLeft()) == null && JoinWindows.frame(join.getRight()) == null
          && !JoinKeys.of(same.getInput(0), same.getInput(1), join.getCondition()).left().isEmpty();
      return updates ? origins.recordReplacement(rel, new UpdatingJoin((Join) same)) : same;
    }
    return origins.recordReplacement(rel, found);
  }

  /** Returns the columns of an input of {@code rel} that the query uses as its time. */
  private static List<Integer> below(RelNode rel, int input, List<Integer> asked) {
    if (rel instanceof Project project) {
      int named = project.getRowType().getFieldNames().indexOf(CatalogObject.ROWTIME);
      List<Integer> columns = new ArrayList<>();
      (named >= 0 ? List.of(named) : asked).forEach(column -> read(project.getProjects().get(column), columns));
      return columns;
    }
    if (rel instanceof Aggregate aggregate) {
      return aggregate.getGroupSet().asList();
    }
    if (rel instanceof Sort sort && !sort.getCollation().getFieldCollations().isEmpty()) {
      return List.of(sort.getCollation().getFieldCollations().get(0).getFieldIndex());
    }
    if (rel instanceof Window window) {
      List<Integer> columns = new ArrayList<>();
      window.groups.forEach(group -> group.orderKeys.getFieldCollations().stream().limit(1)
          .forEach(key -> columns.add(key.getFieldIndex())));
      columns.addAll(asked);
      return columns.stream().filter(column -> column < window.getInput().getRowType().getFieldCount()).toList();
    }
    if (rel instanceof Join join) {
      int width = join.getLeft().getRowType().getFieldCount();
      return asked.stream().filter(column -> input == 0 ? column < width : column >= width)
          .map(column -> input == 0 ? column : column - width).toList();
    }
    if (rel instanceof TableScan) {
      return List.of();
    }
    int count = rel.getInput(input).getRowType().getFieldCount();
    return asked.stream().filter(column -> column < count).toList();
  }

  private static void read(RexNode expr, List<Integer> columns) {
    if (JoinRowtimes.isCalledIn(expr)) {
      // The expression depends on the time of neither side.
      return;
    }
    RelOptUtil.InputFinder.bits(expr).forEach(columns::add);
  }

  private static IntervalJoin of(Join join, List<Integer> asked) {
    WindowedInput.Frame leftFrame = JoinWindows.frame(join.getLeft());
    WindowedInput.Frame rightFrame = JoinWindows.frame(join.getRight());
    if (leftFrame != null || rightFrame != null) {
      Interval left = JoinWindows.interval(leftFrame, rightFrame);
      Interval right = JoinWindows.interval(rightFrame, leftFrame);
      return left == null || right == null ? null : new IntervalJoin(JoinWindows.input(join.getLeft()),
          JoinWindows.input(join.getRight()), join.getCondition(), join.getJoinType(), left, right);
    }
    OrderAnalysis orders = new OrderAnalysis(StreamingNodes.of(join, true));
    TimeBounds bounds = new TimeBounds(join, orders);
    TimeBounds.Distance distance = bounds.of(List.of(join.getCondition()));
    if (!distance.isBounded()) {
      return null;
    }
    NodeOrder left = orders.of(join.getLeft());
    NodeOrder right = orders.of(join.getRight());
    int width = left.fields().size();
    Interval[] intervals = intervals(distance, side(asked, left.rowtime(), right.rowtime() < 0 ? -1 : width + right.rowtime(),
        join.getJoinType()));
    EqualWindows windows = EqualWindows.of(join, orders);
    // An interval can express neither contradictory conditions nor one that is outside the window, so all of them are kept.
    boolean exact = distance.least() <= distance.most() && (windows == null || distance.least() <= 0 && distance.most() >= 0);
    List<RexNode> kept = RelOptUtil.conjunctions(join.getCondition()).stream()
        .filter(condition -> !(exact && bounds.exact(condition))).toList();
    RexNode rest = windows == null ? RexUtil.composeConjunction(join.getCluster().getRexBuilder(), kept) : without(windows, kept, join);
    return new IntervalJoin(join.getLeft(), join.getRight(), rest, join.getJoinType(),
        windows == null ? intervals[0] : intervals[0].within(windows.floor()),
        windows == null ? intervals[1] : intervals[1].within(windows.floor()));
  }

  /** Returns the conditions that the windows do not express; all of them if these are the only keys, so that tasks can share the work. */
  private static RexNode without(EqualWindows windows, List<RexNode> conditions, Join join) {
    RexBuilder rex = join.getCluster().getRexBuilder();
    RexNode others = RexUtil.composeConjunction(rex, conditions.stream().filter(each -> !windows.conditions().contains(each)).toList());
    return JoinKeys.of(join.getLeft(), join.getRight(), others).left().isEmpty() ? RexUtil.composeConjunction(rex, conditions) : others;
  }

  /** Returns which ROWTIME the query uses: -1 for the left row's, 1 for the right row's, 0 for neither. */
  private static int side(List<Integer> asked, int left, int right, JoinRelType type) {
    if (!type.projectsRight()) {
      // The join is a filter, so rows keep their time.
      return -1;
    }
    for (int column : asked) {
      // The ROWTIME of a side that may be missing cannot be the ROWTIME of the result.
      if (column == left && !type.generatesNullsOnLeft()) {
        return -1;
      }
      if (column == right && !type.generatesNullsOnRight()) {
        return 1;
      }
    }
    return 0;
  }

  /**
   * Returns intervals that overlap if the right row is later than the left one by the given distance; {@code side}
   * determines where they start, and with that the ROWTIME.
   */
  private static Interval[] intervals(TimeBounds.Distance distance, int side) {
    long least = distance.least();
    long most = Math.max(least, distance.most());
    return switch (side) {
      case -1 -> new Interval[] {new Interval(0, 0), new Interval(-most, -least)};
      case 1 -> new Interval[] {new Interval(least, most), new Interval(0, 0)};
      default -> new Interval[] {new Interval(Math.max(least, 0), Math.max(most, 0)),
          new Interval(Math.max(-most, 0), Math.max(-least, 0))};
    };
  }
}
