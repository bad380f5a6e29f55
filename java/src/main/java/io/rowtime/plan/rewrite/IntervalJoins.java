package io.rowtime.plan.rewrite;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.Orders;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.IntervalJoin.Interval;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.WindowedInput;
import java.util.ArrayList;
import java.util.List;
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
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/**
 * Finds the joins of two streams that are bounded in time, by windows in FROM or by conditions on their ROWTIMEs, and makes
 * {@link IntervalJoin}s of them.
 *
 * <p>Where conditions bound a join, its ROWTIME is the one that the query asks for: that of the left row, or of the right one,
 * if it selects, groups or sorts by it; else the later of both. With windows it is what these say.
 */
final class IntervalJoins {
  private static final int MOST_ROWS = 1_000_000;

  private final StreamingNodes streams;
  private final Origins origins;

  private IntervalJoins(StreamingNodes streams, Origins origins) {
    this.streams = streams;
    this.origins = origins;
  }

  static RelNode replace(RelNode plan, Origins origins) {
    if (Plans.nodes(plan).noneMatch(Join.class::isInstance)) {
      return plan;
    }
    // Conditions that stand in WHERE are the join's as well, or those of one of its inputs: before windows of RANGE, which then
    // hold fewer rows, but not before windows of ROWS.
    RelNode pushed = Plans.nodes(plan).anyMatch(rel -> rel instanceof WindowedInput windowed && windowed.frame().rows()) ? plan
        : origins.apply(plan, CoreRules.FILTER_INTO_JOIN, CoreRules.JOIN_CONDITION_PUSH);
    return JoinRowtimes.resolve(new IntervalJoins(StreamingNodes.of(pushed, true), origins).visit(pushed, List.of()), origins);
  }

  /** The joins of relations whose inputs have windows; what has no ROWTIME is in none. */
  static RelNode ofWindows(RelNode plan, Origins origins) {
    Orders orders = new Orders(StreamingNodes.of(plan, true));
    return JoinRowtimes.resolve(origins.rewrite(plan, (original, node) -> {
      boolean windows = node instanceof Join && (frame(node.getInput(0)) != null || frame(node.getInput(1)) != null)
          && original.getInputs().stream().allMatch(input -> orders.of(input).rowtime() >= 0);
      IntervalJoin found = windows ? of((Join) node, List.of()) : null;
      return found == null ? node : found;
    }), origins);
  }

  /** @param asked columns of {@code rel} by which the query goes in time, the first that fits first */
  private RelNode visit(RelNode rel, List<Integer> asked) {
    List<RelNode> inputs = new ArrayList<>();
    for (int i = 0; i < rel.getInputs().size(); i++) {
      inputs.add(visit(rel.getInput(i), below(rel, i, asked)));
    }
    RelNode same = origins.withInputs(rel, inputs);
    // What a query's own plan has found stays as it is when the query is planned into a target.
    if (rel instanceof IntervalJoin || rel instanceof AsofJoin || !(rel instanceof Join join) || !streams.contains(join.getLeft()) || !streams.contains(join.getRight())) {
      return same;
    }
    IntervalJoin found = of((Join) same, asked);
    return found == null ? same : origins.replaced(rel, found);
  }

  /** An input of a join without the window on it. */
  private static RelNode input(RelNode rel) {
    if (rel instanceof WindowedInput windowed) {
      return windowed.getInput();
    }
    return frame(rel) == null ? rel : rel.copy(rel.getTraitSet(), List.of(input(rel.getInput(0))));
  }

  /** The window on an input of a join, or null. */
  private static WindowedInput.Frame frame(RelNode rel) {
    return rel instanceof WindowedInput windowed ? windowed.frame() : rel instanceof Filter ? frame(rel.getInput(0)) : null;
  }

  /** The columns of an input of {@code rel} by which the query goes in time. */
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
      // It goes by the time of neither side.
      return;
    }
    RelOptUtil.InputFinder.bits(expr).forEach(columns::add);
  }

  private static IntervalJoin of(Join join, List<Integer> asked) {
    WindowedInput.Frame leftFrame = frame(join.getLeft());
    WindowedInput.Frame rightFrame = frame(join.getRight());
    if (leftFrame != null || rightFrame != null) {
      Interval left = interval(leftFrame, rightFrame);
      Interval right = interval(rightFrame, leftFrame);
      return left == null || right == null ? null : new IntervalJoin(input(join.getLeft()), input(join.getRight()),
          join.getCondition(), join.getJoinType(), left, right);
    }
    Orders orders = new Orders(StreamingNodes.of(join, true));
    TimeBounds bounds = new TimeBounds(join, orders);
    TimeBounds.Distance distance = bounds.of(List.of(join.getCondition()));
    if (!distance.bounded()) {
      return null;
    }
    NodeOrder left = orders.of(join.getLeft());
    NodeOrder right = orders.of(join.getRight());
    int width = left.fields().size();
    Interval[] intervals = intervals(distance, side(asked, left.rowtime(), right.rowtime() < 0 ? -1 : width + right.rowtime(),
        join.getJoinType()));
    // Conditions that no rows fulfil leave an interval that some do.
    boolean possible = distance.least() <= distance.most();
    RexNode rest = RexUtil.composeConjunction(join.getCluster().getRexBuilder(), RelOptUtil.conjunctions(join.getCondition())
        .stream().filter(condition -> !possible || !bounds.exact(condition)).toList());
    return new IntervalJoin(join.getLeft(), join.getRight(), rest, join.getJoinType(), intervals[0], intervals[1]);
  }

  /** Whose ROWTIME the query goes by: -1 the left one's, 1 the right one's, 0 neither's. */
  private static int side(List<Integer> asked, int left, int right, JoinRelType type) {
    if (!type.projectsRight()) {
      // A filter: rows keep their time.
      return -1;
    }
    for (int column : asked) {
      // The ROWTIME of a side that may be missing is no ROWTIME of the result.
      if (column == left && !type.generatesNullsOnLeft()) {
        return -1;
      }
      if (column == right && !type.generatesNullsOnRight()) {
        return 1;
      }
    }
    return 0;
  }

  /** Intervals that meet where the right row is so much later than the left one; from when on says whose time it is. */
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

  /**
   * How long a row is in the windows of its input; one without a window, in that of its own time. Null of windows that have no
   * end, and of those that do not go together.
   */
  private static Interval interval(WindowedInput.Frame frame, WindowedInput.Frame other) {
    if (frame == null) {
      return new Interval(0, 0);
    }
    if (frame.rows()) {
      return rows(frame, other);
    }
    Long lower = distance(frame.lower());
    Long upper = distance(frame.upper());
    // A window [b + lower, b + upper] around the time b has the row of time x where b is in [x - upper, x - lower].
    return lower == null || upper == null || lower > upper ? null : new Interval(-upper, -lower);
  }

  /**
   * The latest rows of an input. They are those at the time of each row of the other input; but beside a window of RANGE that is
   * more than a time, the current row's window is that around the row itself (seed 003, "Join query # 1").
   */
  private static Interval rows(WindowedInput.Frame frame, WindowedInput.Frame other) {
    Long lower = distance(frame.lower());
    boolean latest = lower != null && lower <= 0 && lower > -MOST_ROWS && frame.upper().kind().equals("CURRENT_ROW");
    if (other != null && !other.rows() && !new Interval(0, 0).equals(interval(other, null))) {
      return latest && lower == 0 ? new Interval(0, 0) : null;
    }
    return latest ? new Interval(0, 0, 1 - lower.intValue()) : null;
  }

  /** How much later than the current row a window begins or ends, in milliseconds; null if it does not. */
  private static Long distance(WindowedInput.Bound bound) {
    return switch (bound.kind()) {
      case "CURRENT_ROW" -> Long.valueOf(0);
      case "PRECEDING" -> Long.valueOf(-bound.offset());
      case "FOLLOWING" -> bound.offset();
      default -> null;
    };
  }
}
