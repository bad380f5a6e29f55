package io.rowtime.plan.rewrite;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.mapping.MappingType;
import org.apache.calcite.util.mapping.Mappings;

/**
 * Reorders inner joins of three and more streams, if in the order in which they are written one would join a stream whose
 * times only a later stream limits: {@code FROM a, b, c} where c is near a, and b near c.
 */
final class JoinOrdering {
  private final StreamingNodes streams;
  private final OrderAnalysis orders;
  private final Origins origins;

  private JoinOrdering(RelNode plan, Origins origins) {
    this.streams = StreamingNodes.of(plan, true);
    this.orders = new OrderAnalysis(streams);
    this.origins = origins;
  }

  static RelNode apply(RelNode plan, Origins origins) {
    return new JoinOrdering(plan, origins).visit(plan);
  }

  private RelNode visit(RelNode rel) {
    if (isInner(rel)) {
      Tree tree = new Tree((Join) rel);
      List<Integer> order = tree.leaves.size() > 2 ? tree.order() : List.of();
      if (!isSorted(order)) {
        return origins.recordReplacement(rel, tree.inOrder(order));
      }
    }
    List<RelNode> inputs = new ArrayList<>();
    rel.getInputs().forEach(input -> inputs.add(visit(input)));
    return origins.withInputs(rel, inputs);
  }

  /** Returns whether a node is an inner join of streams without windows. */
  private boolean isInner(RelNode rel) {
    return rel instanceof LogicalJoin join && join.getJoinType() == JoinRelType.INNER
        && join.getInputs().stream().allMatch(input -> streams.contains(input) && JoinWindows.frame(input) == null);
  }

  private static boolean isSorted(List<Integer> order) {
    return order.equals(order.stream().sorted().toList());
  }

  /** Adjacent inner joins: their inputs, and all of their conditions. */
  private final class Tree {
    private final RelNode root;
    private final RexBuilder rex;
    private final List<RelNode> leaves = new ArrayList<>();
    /** The position of the first column of each leaf. */
    private final List<Integer> starts = new ArrayList<>();
    private final List<RexNode> conditions = new ArrayList<>();
    private int width;

    Tree(Join join) {
      root = join;
      rex = join.getCluster().getRexBuilder();
      collect(join);
    }

    private void collect(RelNode rel) {
      if (!isInner(rel)) {
        leaves.add(rel);
        starts.add(width);
        width += rel.getRowType().getFieldCount();
        return;
      }
      Join join = (Join) rel;
      int start = width;
      collect(join.getLeft());
      collect(join.getRight());
      RelOptUtil.conjunctions(join.getCondition()).forEach(condition -> conditions.add(RexUtil.shift(condition, start)));
    }

    /** Returns an order in which each leaf is limited by one before it, as close to the written one as possible; empty if there is none. */
    List<Integer> order() {
      List<Integer> order = new ArrayList<>(List.of(0));
      while (order.size() < leaves.size()) {
        int next = 0;
        while (next < leaves.size() && (order.contains(next) || !isLimited(next, order))) {
          next++;
        }
        if (next == leaves.size()) {
          return List.of();
        }
        order.add(next);
      }
      return order;
    }

    private boolean isLimited(int leaf, List<Integer> others) {
      return others.stream().anyMatch(other -> {
        Joined pair = new Joined(other).with(leaf);
        return new TimeBounds(pair.join, orders).of(List.of(pair.join.getCondition())).isBounded();
      });
    }

    RelNode inOrder(List<Integer> order) {
      Joined joined = new Joined(order.get(0));
      joined.rel = visit(joined.rel);
      for (int leaf : order.subList(1, order.size())) {
        joined = joined.with(leaf);
        joined.rel = joined.join.copy(joined.join.getTraitSet(), List.of(joined.join.getLeft(), visit(joined.join.getRight())));
      }
      RelNode all = joined.rel;
      int[] places = joined.places;
      List<RexNode> columns = new ArrayList<>();
      for (int i = 0; i < width; i++) {
        columns.add(rex.makeInputRef(all, places[i]));
      }
      // A column must not become the ROWTIME of the result by its name.
      List<String> names = root.getRowType().getFieldNames().stream().map(name -> name.equals(CatalogObject.ROWTIME) ? "$" + name : name).toList();
      return LogicalProject.create(all, List.of(), columns, names, Set.of());
    }

    /** A join of some of the leaves. */
    private final class Joined {
      private RelNode rel;
      private Join join;
      /** The positions of the tree's columns in {@code rel}; -1 for columns that it does not have. */
      private final int[] places = new int[width];

      Joined(int leaf) {
        Arrays.fill(places, -1);
        rel = leaves.get(leaf);
        add(leaf, 0);
      }

      private Joined(Joined other) {
        System.arraycopy(other.places, 0, places, 0, width);
        rel = other.rel;
      }

      private void add(int leaf, int from) {
        for (int i = 0; i < leaves.get(leaf).getRowType().getFieldCount(); i++) {
          places[starts.get(leaf) + i] = from + i;
        }
      }

      private boolean has(RexNode condition) {
        return RelOptUtil.InputFinder.bits(condition).asList().stream().allMatch(column -> places[column] >= 0);
      }

      /** Returns the join with one more leaf, under the conditions whose columns are complete only now. */
      Joined with(int leaf) {
        Joined both = new Joined(this);
        both.add(leaf, rel.getRowType().getFieldCount());
        int count = rel.getRowType().getFieldCount() + leaves.get(leaf).getRowType().getFieldCount();
        Mappings.TargetMapping mapping = Mappings.create(MappingType.PARTIAL_FUNCTION, width, count);
        for (int i = 0; i < width; i++) {
          if (both.places[i] >= 0) {
            mapping.set(i, both.places[i]);
          }
        }
        List<RexNode> met = conditions.stream().filter(condition -> both.has(condition) && !has(condition))
            .map(condition -> RexUtil.apply(mapping, condition)).toList();
        both.join = LogicalJoin.create(rel, leaves.get(leaf), List.of(), RexUtil.composeConjunction(rex, met), Set.of(), JoinRelType.INNER);
        both.rel = both.join;
        return both;
      }
    }
  }
}
