package io.rowtime.plan;

import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.Orders;
import io.rowtime.plan.monotone.RexOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/** Whether conditions keep the rows of two joined streams together in time, from both sides. */
final class TimeBounds {
  private final RexOrder orders;
  private final ImmutableBitSet left;
  private final ImmutableBitSet right;

  TimeBounds(Join join, Orders orders) {
    List<FieldOrder> fields = new ArrayList<>(orders.of(join.getLeft()).fields());
    int width = fields.size();
    fields.addAll(orders.of(join.getRight()).fields());
    this.orders = new RexOrder(fields);
    this.left = ImmutableBitSet.range(width);
    this.right = ImmutableBitSet.range(width, fields.size());
  }

  /** Whether some condition says how much later, and some how much earlier, a match may be. */
  boolean bounded(List<RexNode> conditions) {
    boolean[] bounds = new boolean[2];
    for (RexNode condition : conditions) {
      for (RexNode conjunct : RelOptUtil.conjunctions(condition)) {
        if (conjunct instanceof RexCall call) {
          compare(call, bounds);
        }
      }
    }
    return bounds[0] && bounds[1];
  }

  private void compare(RexCall call, boolean[] bounds) {
    if (call.getOperands().size() != 2) {
      return;
    }
    RexNode a = call.getOperands().get(0);
    RexNode b = call.getOperands().get(1);
    boolean leftFirst = reads(a, left) && reads(b, right);
    if (!leftFirst && !(reads(a, right) && reads(b, left)) || !moves(a) || !moves(b)) {
      return;
    }
    switch (call.getKind()) {
      case EQUALS -> bounds[0] = bounds[1] = true;
      case LESS_THAN, LESS_THAN_OR_EQUAL -> bounds[leftFirst ? 0 : 1] = true;
      case GREATER_THAN, GREATER_THAN_OR_EQUAL -> bounds[leftFirst ? 1 : 0] = true;
      default -> { }
    }
  }

  private static boolean reads(RexNode node, ImmutableBitSet side) {
    ImmutableBitSet used = RelOptUtil.InputFinder.bits(node);
    return !used.isEmpty() && side.contains(used);
  }

  private boolean moves(RexNode node) {
    return orders.of(node).monotonicity().increasing();
  }
}
