package io.rowtime.plan.physical;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.monotone.WindowTiming;
import io.rowtime.plan.rel.Changelogs;
import io.rowtime.plan.rel.Conjuncts;
import io.rowtime.plan.rel.StateTtl;
import io.rowtime.plan.rel.TopN;
import io.rowtime.plan.rel.UpdatingOver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
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
 *
 * <p>Partitions must be complete at some time. Below TO_CHANGELOG they need not be, and rows may be retracted. A window by time that
 * emits each row when it arrives stays one, since no later row changes its rank. Other windows there, whose rows can be retracted or
 * would wait for ever, become an {@link UpdatingOver}.
 */
final class TopNWindows {
  private final StreamingNodes streams;
  private final OrderAnalysis orders;
  private final Map<RelNode, Limit> limits = new IdentityHashMap<>();
  private final Set<RelNode> updating = Collections.newSetFromMap(new IdentityHashMap<>());
  private final RetractedRows retracted;

  /**
   * The parameters of the Top-N that replaces a window. {@code best} is the field whose best value each row must have;
   * -1 for ranks. {@code ranked}: whether the values of the ranks are used. {@code whole}: whether the conditions above say no more than
   * the limit.
   */
  private record Limit(RankFunction function, int most, RelCollation order, int best, TopN.Partitions partitions, boolean ranked, boolean whole) {
    Limit of(TopN.Partitions other, boolean used, boolean all) {
      return new Limit(function, most, order, best, other, used, all);
    }

    TopN topN(RelNode input, Window window, List<TopN.Rank> ranks) {
      return TopN.create(input, window.groups.get(0).keys, order, function, most, ranks, partitions, StateTtl.of(window), whole);
    }
  }

  /** What the nodes above need of a node: its columns, apart from those that only {@code conditions} read. */
  private record Above(List<RexNode> conditions, ImmutableBitSet used, boolean changelog) {}

  private TopNWindows(StreamingNodes streams, OrderAnalysis orders) {
    this.streams = streams;
    this.orders = orders;
    this.retracted = new RetractedRows(streams, orders, window -> updating.contains(window)
        || limits.containsKey(window) && limits.get(window).partitions != TopN.Partitions.END);
  }

  static TopNWindows of(RelNode plan, StreamingNodes streams, OrderAnalysis orders, boolean mayChange) {
    TopNWindows found = new TopNWindows(streams, orders);
    found.visit(plan, new Above(List.of(), all(plan), mayChange));
    return found;
  }

  /** Returns the replacement of a node; {@code node} is {@code original} after its inputs have been rewritten. */
  RelNode replace(RelNode original, RelNode node) {
    if (updating.contains(original)) {
      return new UpdatingOver((Window) node);
    }
    Limit limit = limits.get(original);
    if (limit == null) {
      return node;
    }
    Window window = (Window) node;
    return limit.best >= 0 ? best(window, limit) : limit.ranked ? limit.topN(window.getInput(), window, ranks(window)) : unranked(window, limit);
  }

  /** Returns the first rows with 1 for each rank, which only conditions read that are true for all of them. */
  private static RelNode unranked(Window window, Limit limit) {
    RelNode rows = limit.topN(window.getInput(), window, List.of());
    RexBuilder rex = rows.getCluster().getRexBuilder();
    List<RelDataTypeField> fields = window.getRowType().getFieldList();
    List<RexNode> exprs = new ArrayList<>(rex.identityProjects(rows.getRowType()));
    fields.subList(exprs.size(), fields.size()).forEach(field -> exprs.add(rex.makeLiteral(1, field.getType(), true)));
    return LogicalProject.create(rows, List.of(), exprs, window.getRowType().getFieldNames(), Set.of());
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
  private static RelNode best(Window window, Limit limit) {
    RelNode input = window.getInput();
    RexBuilder rex = input.getCluster().getRexBuilder();
    RexNode value = rex.makeInputRef(input, limit.best);
    if (value.getType().isNullable()) {
      input = LogicalFilter.create(input, rex.makeCall(SqlStdOperatorTable.IS_NOT_NULL, value));
    }
    RelNode rows = limit.topN(input, window, List.of());
    List<RelDataTypeField> fields = window.getRowType().getFieldList();
    List<RexNode> exprs = new ArrayList<>(rex.identityProjects(rows.getRowType()));
    exprs.add(rex.ensureType(fields.get(fields.size() - 1).getType(), value, true));
    return LogicalProject.create(rows, List.of(), exprs, window.getRowType().getFieldNames(), Set.of());
  }

  private void visit(RelNode rel, Above above) {
    boolean changelog = above.changelog || Changelogs.isChangelog(rel);
    for (RelNode input : rel.getInputs()) {
      visit(input, rel instanceof Filter || rel instanceof Project ? below(rel, above, changelog) : new Above(List.of(), all(input), changelog));
    }
    if (rel instanceof Window window && streams.contains(window)) {
      Limit limit = limit(window, above);
      if (limit != null) {
        limits.put(window, limit);
      } else if (above.changelog && isUpdating(window)) {
        updating.add(window);
      }
    }
  }

  /** Returns whether rows of a window are retracted, have no time, or would wait for a partition that is never complete. */
  private boolean isUpdating(Window window) {
    WindowTiming timing = new WindowTiming(window, orders.of(window.getInput()));
    return retracted.of(window.getInput()) || !orders.of(window.getInput()).hasClock()
        || window.groups.stream().anyMatch(group -> timing.waitsForPartition(group) && timing.closingKey(group) < 0);
  }

  /** Returns what a filter or a projection, and the nodes above it, need of its input. */
  private static Above below(RelNode rel, Above above, boolean changelog) {
    if (rel instanceof Filter filter) {
      List<RexNode> conditions = new ArrayList<>(above.conditions);
      conditions.addAll(parts(filter.getCondition(), filter));
      return new Above(conditions, above.used, changelog);
    }
    Project project = (Project) rel;
    List<RexNode> conditions = above.conditions.stream().flatMap(each -> parts(RelOptUtil.pushPastProject(each, project), project).stream()).toList();
    ImmutableBitSet used = above.used.asList().stream().map(column -> RelOptUtil.InputFinder.bits(project.getProjects().get(column)))
        .reduce(ImmutableBitSet.of(), ImmutableBitSet::union);
    return new Above(conditions, used, changelog);
  }

  private static ImmutableBitSet all(RelNode rel) {
    return ImmutableBitSet.range(rel.getRowType().getFieldCount());
  }

  private static List<RexNode> parts(RexNode condition, RelNode rel) {
    return Conjuncts.of(rel.getCluster().getRexBuilder(), condition);
  }

  private Limit limit(Window window, Above above) {
    Window.Group first = window.groups.get(0);
    WindowTiming timing = new WindowTiming(window, orders.of(window.getInput()));
    boolean sameOrder = window.groups.stream().allMatch(group -> group.keys.equals(first.keys) && group.orderKeys.equals(first.orderKeys)
        && group.exclude == RexWindowExclusion.EXCLUDE_NO_OTHER);
    boolean changes = above.changelog && retracted.of(window.getInput());
    // Rows that begin a partition anew have other ranks, also if no later row changes these.
    boolean waits = above.changelog && StateTtl.of(window) != null || window.groups.stream().allMatch(timing::waitsForPartition);
    boolean ends = waits && timing.closingKey(first) >= 0;
    boolean grows = waits && above.changelog;
    if (!sameOrder || !changes && !ends && !grows) {
      return null;
    }
    boolean ranks = window.groups.stream().flatMap(group -> group.aggCalls.stream()).allMatch(call -> function(call) != null);
    Limit limit = ranks ? rankLimit(window, above.conditions) : best(window, above.conditions);
    if (limit == null || !limit.order.getFieldCollations().stream().allMatch(key -> isOrdered(window, key.getFieldIndex()))) {
      return null;
    }
    TopN.Partitions partitions = changes ? TopN.Partitions.CHANGE : ends ? TopN.Partitions.END : TopN.Partitions.GROW;
    boolean whole = limit.best < 0 && above.conditions.stream().allMatch(condition -> isTrueOfAll(window, condition, limit));
    return limit.of(partitions, partitions == TopN.Partitions.END || usesRanks(window, above, limit), whole);
  }

  /** Returns whether the ranks have to be known of rows whose rank is at most the limit. */
  private static boolean usesRanks(Window window, Above above, Limit limit) {
    int width = window.getInput().getRowType().getFieldCount();
    ImmutableBitSet ranks = ImmutableBitSet.range(width, window.getRowType().getFieldCount());
    return above.used.intersects(ranks) || above.conditions.stream().anyMatch(condition -> RelOptUtil.InputFinder.bits(condition).intersects(ranks)
        && !isTrueOfAll(window, condition, limit));
  }

  /** Returns whether a condition says no more than the limit. */
  private static boolean isTrueOfAll(Window window, RexNode condition, Limit limit) {
    ImmutableBitSet read = RelOptUtil.InputFinder.bits(condition);
    List<RankFunction> functions = window.groups.stream().flatMap(group -> group.aggCalls.stream()).map(TopNWindows::function).toList();
    int width = window.getInput().getRowType().getFieldCount();
    boolean compares = read.cardinality() == 1 && read.nth(0) >= width && functions.get(read.nth(0) - width) == limit.function
        && (condition.isA(Set.of(SqlKind.LESS_THAN, SqlKind.LESS_THAN_OR_EQUAL, SqlKind.GREATER_THAN, SqlKind.GREATER_THAN_OR_EQUAL))
            || condition.isA(SqlKind.EQUALS) && limit.most == 1);
    Integer most = compares ? RankLimit.of(condition, read.nth(0)) : null;
    return most != null && most >= Math.max(limit.most, 1);
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
          least = new Limit(function, most, order, -1, TopN.Partitions.END, true, false);
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
        RelFieldCollation.NullDirection.LAST)), value.getIndex(), TopN.Partitions.END, true, false);
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
