package io.rowtime.plan.physical;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.plan.monotone.Orders;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.monotone.WindowTiming;
import io.rowtime.plan.rel.Conjuncts;
import io.rowtime.plan.rel.TopN;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Finds windows of a streaming plan of which only the first rows of each partition are needed, because of conditions
 * above them: {@code ROW_NUMBER() <= n}, or {@code x = MAX(x)} over the whole partition. They become a {@link TopN};
 * the conditions stay in place.
 */
final class TopNWindows {
  private final StreamingNodes streams;
  private final Orders orders;
  private final Map<RelNode, Limit> limits = new IdentityHashMap<>();

  /**
   * The parameters of the Top-N that replaces a window. {@code best} is the field whose best value each row must have;
   * -1 for ranks.
   */
  private record Limit(RankFunction function, int most, RelCollation order, int best) {}

  private TopNWindows(StreamingNodes streams, Orders orders) {
    this.streams = streams;
    this.orders = orders;
  }

  static TopNWindows of(RelNode plan, StreamingNodes streams, Orders orders) {
    TopNWindows found = new TopNWindows(streams, orders);
    found.visit(plan, List.of());
    return found;
  }

  /** Returns the replacement of a node; {@code node} is {@code original} after its inputs have been rewritten. */
  RelNode replace(RelNode original, RelNode node) {
    Limit limit = limits.get(original);
    if (limit == null) {
      return node;
    }
    Window window = (Window) node;
    ImmutableBitSet partition = window.groups.get(0).keys;
    return limit.best < 0 ? TopN.create(window.getInput(), partition, limit.order, limit.function, limit.most, ranks(window))
        : best(window, partition, limit);
  }

  private static List<TopN.Rank> ranks(Window window) {
    List<String> names = window.getRowType().getFieldNames();
    int width = window.getInput().getRowType().getFieldCount();
    List<TopN.Rank> ranks = new ArrayList<>();
    for (Window.Group group : window.groups) {
      for (Window.RexWinAggCall call : group.aggCalls) {
        ranks.add(new TopN.Rank(names.get(width + ranks.size()), function(call)));
      }
    }
    return ranks;
  }

  /**
   * Returns the rows of each partition with its best value, which is also the result of MAX or MIN. NULL is never the
   * best value.
   */
  private static RelNode best(Window window, ImmutableBitSet partition, Limit limit) {
    RelNode input = window.getInput();
    RexBuilder rex = input.getCluster().getRexBuilder();
    RexNode value = rex.makeInputRef(input, limit.best);
    if (value.getType().isNullable()) {
      input = LogicalFilter.create(input, rex.makeCall(SqlStdOperatorTable.IS_NOT_NULL, value));
    }
    RelNode rows = TopN.create(input, partition, limit.order, limit.function, limit.most, List.of());
    List<RelDataTypeField> fields = window.getRowType().getFieldList();
    List<RexNode> exprs = new ArrayList<>(rex.identityProjects(rows.getRowType()));
    exprs.add(rex.ensureType(fields.get(fields.size() - 1).getType(), value, true));
    return LogicalProject.create(rows, List.of(), exprs, window.getRowType().getFieldNames(), Set.of());
  }

  /** @param conditions conditions over the columns of the node that hold for all rows that are needed */
  private void visit(RelNode rel, List<RexNode> conditions) {
    List<RexNode> below = List.of();
    if (rel instanceof Filter filter) {
      below = new ArrayList<>(conditions);
      below.addAll(parts(filter.getCondition(), filter));
    } else if (rel instanceof Project project) {
      below = conditions.stream().flatMap(each -> parts(RelOptUtil.pushPastProject(each, project), project).stream()).toList();
    } else if (rel instanceof Window window && streams.contains(window)) {
      Limit limit = limit(window, conditions);
      if (limit != null) {
        limits.put(window, limit);
      }
    }
    for (RelNode input : rel.getInputs()) {
      visit(input, below);
    }
  }

  private static List<RexNode> parts(RexNode condition, RelNode rel) {
    return Conjuncts.of(rel.getCluster().getRexBuilder(), condition);
  }

  private Limit limit(Window window, List<RexNode> conditions) {
    Window.Group first = window.groups.get(0);
    WindowTiming timing = new WindowTiming(window, orders.of(window.getInput()));
    boolean sameOrder = window.groups.stream().allMatch(group -> group.keys.equals(first.keys) && group.orderKeys.equals(first.orderKeys)
        && group.exclude == RexWindowExclusion.EXCLUDE_NO_OTHER);
    if (!sameOrder || timing.closingKey(first) < 0 || !window.groups.stream().allMatch(timing::waitsForPartition)) {
      return null;
    }
    boolean ranks = window.groups.stream().flatMap(group -> group.aggCalls.stream()).allMatch(call -> function(call) != null);
    Limit limit = ranks ? rankLimit(window, conditions) : best(window, conditions);
    return limit != null && limit.order.getFieldCollations().stream().allMatch(key -> isOrdered(window, key.getFieldIndex())) ? limit : null;
  }

  /** Returns the least limit of the ranks; if several are equal, the one that fewer rows satisfy. */
  private static Limit rankLimit(Window window, List<RexNode> conditions) {
    int field = window.getInput().getRowType().getFieldCount();
    RelCollation order = window.groups.get(0).orderKeys;
    RexNode all = RexUtil.composeConjunction(window.getCluster().getRexBuilder(), conditions);
    Limit least = null;
    for (Window.Group group : window.groups) {
      for (Window.RexWinAggCall call : group.aggCalls) {
        Integer most = RankLimit.of(all, field++);
        RankFunction function = function(call);
        if (most != null && (least == null || most < least.most || most == least.most && function.compareTo(least.function) < 0)) {
          least = new Limit(function, most, order, -1);
        }
      }
    }
    return least;
  }

  private static Limit best(Window window, List<RexNode> conditions) {
    Window.Group group = window.groups.get(0);
    if (window.groups.size() != 1 || group.aggCalls.size() != 1 || !isWhole(group)) {
      return null;
    }
    Window.RexWinAggCall call = group.aggCalls.get(0);
    SqlKind kind = call.getOperator().getKind();
    int result = window.getInput().getRowType().getFieldCount();
    if (kind != SqlKind.MAX && kind != SqlKind.MIN || !(call.getOperands().get(0) instanceof RexInputRef value) || value.getIndex() >= result) {
      return null;
    }
    RexNode below = below(window, value);
    boolean asked = conditions.stream().anyMatch(condition -> condition.isA(SqlKind.EQUALS) && condition instanceof RexCall equal
        && (isResult(equal.getOperands().get(0), result) && below(window, equal.getOperands().get(1)).equals(below)
            || isResult(equal.getOperands().get(1), result) && below(window, equal.getOperands().get(0)).equals(below)));
    if (!asked) {
      return null;
    }
    RelFieldCollation.Direction direction =
        kind == SqlKind.MAX ? RelFieldCollation.Direction.DESCENDING : RelFieldCollation.Direction.ASCENDING;
    return new Limit(RankFunction.RANK, 1, RelCollations.of(new RelFieldCollation(value.getIndex(), direction,
        RelFieldCollation.NullDirection.LAST)), value.getIndex());
  }

  private static boolean isWhole(Window.Group group) {
    return group.lowerBound.isUnbounded() && group.lowerBound.isPreceding() && group.upperBound.isUnbounded()
        && group.upperBound.isFollowing();
  }

  private static boolean isResult(RexNode rex, int result) {
    return RankLimit.uncast(rex) instanceof RexInputRef ref && ref.getIndex() == result;
  }

  /**
   * Rewrites an expression over the input of a window as one over the input of the projection below it, if there is
   * one. Calcite adds a column for each call argument there.
   */
  private static RexNode below(Window window, RexNode rex) {
    RexNode plain = RankLimit.uncast(rex);
    boolean ofInput = RelOptUtil.InputFinder.bits(plain).length() <= window.getInput().getRowType().getFieldCount();
    return ofInput && window.getInput() instanceof Project project ? RankLimit.uncast(RelOptUtil.pushPastProject(plain, project)) : plain;
  }

  private static boolean isOrdered(Window window, int field) {
    RelDataType type = window.getInput().getRowType().getFieldList().get(field).getType();
    return GroupOperator.canBeKept(type);
  }

  private static RankFunction function(Window.RexWinAggCall call) {
    String name = call.getOperator().getName();
    return Arrays.stream(RankFunction.values()).filter(function -> function.name().equals(name)).findAny().orElse(null);
  }
}
