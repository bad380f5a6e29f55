package io.rowtime.plan.rewrite;

import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.Variation;
import io.rowtime.validate.UserFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Moves calls of functions that are not deterministic out of the conditions of joins with a relation, which may be computed for a pair
 * of rows any number of times. A call that reads the columns of one input becomes a column of it: there is one call for each of its
 * rows. A condition with a call that reads both inputs, or neither, becomes a filter above an inner join: there is one call for each
 * pair of rows that the other conditions join. In any other join, rows without a match are in the result as well, so it stays there,
 * and is refused later.
 */
final class ConditionCalls {
  private final LogicalJoin join;
  private final int left;
  private final int width;
  /** The calls that become columns, over the row of the join; a placeholder for one is a column after all others. */
  private final List<RexCall> calls = new ArrayList<>();

  private ConditionCalls(LogicalJoin join) {
    this.join = join;
    left = join.getLeft().getRowType().getFieldCount();
    width = left + join.getRight().getRowType().getFieldCount();
  }

  static RelNode replace(RelNode plan, Origins origins) {
    if (Plans.nodes(plan).noneMatch(ConditionCalls::varies)) {
      return plan;
    }
    StreamingNodes streams = StreamingNodes.of(plan, true);
    return origins.rewrite(plan, (original, node) -> varies(node) && !original.getInputs().stream().allMatch(streams::contains)
        ? new ConditionCalls((LogicalJoin) node).rewrite() : node);
  }

  private static boolean varies(RelNode node) {
    return node instanceof LogicalJoin join && Variation.callsAnew(join.getCondition());
  }

  private RelNode rewrite() {
    RexBuilder rex = join.getCluster().getRexBuilder();
    List<RexNode> joining = new ArrayList<>();
    List<RexNode> filtering = new ArrayList<>();
    for (RexNode condition : RelOptUtil.conjunctions(join.getCondition())) {
      int before = calls.size();
      RexNode moved = condition.accept(new Placeholders());
      if (!Variation.callsAnew(moved) || join.getJoinType() != JoinRelType.INNER) {
        joining.add(moved);
      } else {
        calls.subList(before, calls.size()).clear();
        filtering.add(condition);
      }
    }
    RexShuttle placed = new RexShuttle() {
      @Override public RexNode visitInputRef(RexInputRef ref) {
        return new RexInputRef(place(ref.getIndex()), ref.getType());
      }
    };
    RelNode joined = join.copy(join.getTraitSet(), RexUtil.composeConjunction(rex, placed.apply(joining)), withCalls(join.getLeft(), 0, left),
        withCalls(join.getRight(), left, width), join.getJoinType(), join.isSemiJoinDone());
    RelNode filtered = filtering.isEmpty() ? joined : LogicalFilter.create(joined, RexUtil.composeConjunction(rex, placed.apply(filtering)));
    if (calls.isEmpty()) {
      return filtered;
    }
    List<RexInputRef> fields = IntStream.range(0, join.getRowType().getFieldCount())
        .mapToObj(field -> RexInputRef.of(place(field), filtered.getRowType())).toList();
    return LogicalProject.create(filtered, List.of(), fields, join.getRowType().getFieldNames(), Set.of());
  }

  /** Returns an input with the calls that read its columns, {@code from} to {@code to} of the join. */
  private RelNode withCalls(RelNode input, int from, int to) {
    List<RexNode> own = RexUtil.shift(calls.stream().filter(call -> reads(call, from, to)).map(RexNode.class::cast).toList(), -from);
    if (own.isEmpty()) {
      return input;
    }
    List<RexNode> columns = new ArrayList<>(input.getCluster().getRexBuilder().identityProjects(input.getRowType()));
    List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
    columns.addAll(own);
    IntStream.range(0, own.size()).forEach(call -> names.add("$call" + call));
    return LogicalProject.create(input, List.of(), columns, names, Set.of());
  }

  /** Returns where a column, or the call of a placeholder, is in the join with the calls. */
  private int place(int column) {
    int leftCalls = (int) calls.stream().filter(call -> reads(call, 0, left)).count();
    if (column < width) {
      return column < left ? column : column + leftCalls;
    }
    RexCall call = calls.get(column - width);
    boolean isLeft = reads(call, 0, left);
    int before = (int) calls.subList(0, column - width).stream().filter(other -> reads(other, 0, left) == isLeft).count();
    return (isLeft ? left : width + leftCalls) + before;
  }

  private static boolean reads(RexNode call, int from, int to) {
    return Plans.readsOnly(call, ImmutableBitSet.range(from, to));
  }

  /** Puts placeholders in the place of calls that read one input. */
  private final class Placeholders extends RexShuttle {
    @Override public RexNode visitCall(RexCall call) {
      if (!Variation.variesByCall(call.getOperator()) || !reads(call, 0, left) && !reads(call, left, width)) {
        return super.visitCall(call);
      }
      // Only calls of user-defined functions are equal where they are the same in the text.
      int known = call.getOperator() instanceof UserFunction ? calls.indexOf(call) : -1;
      if (known < 0) {
        calls.add(call);
      }
      return new RexInputRef(width + (known < 0 ? calls.size() - 1 : known), call.getType());
    }
  }
}
