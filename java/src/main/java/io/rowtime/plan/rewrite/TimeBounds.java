package io.rowtime.plan.rewrite;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.RexConstants;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.Orders;
import io.rowtime.plan.monotone.RexOrder;
import io.rowtime.plan.rel.Plans;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Derives from join conditions how far apart in time matching rows of two streams can be.
 *
 * <p>A condition counts if it compares a function of the left row's ROWTIME with a function of the right row's. The
 * value of each function lies between two distances from its ROWTIME: {@code FLOOR(ROWTIME TO HOUR)} lies between one
 * hour less a millisecond before it and the time itself.
 */
final class TimeBounds {
  /**
   * How much later the right row of a match is than the left one, in milliseconds.
   *
   * @param least null if there is no limit
   * @param most null if there is no limit
   */
  record Distance(Long least, Long most) {
    boolean isBounded() {
      return least != null && most != null;
    }

    private Distance and(Distance other) {
      return new Distance(greater(least, other.least), less(most, other.most));
    }

    private static Long greater(Long a, Long b) {
      return a == null || b != null && b > a ? b : a;
    }

    private static Long less(Long a, Long b) {
      return a == null || b != null && b < a ? b : a;
    }
  }

  /** The range of a value, in milliseconds after the ROWTIME of its row. */
  private record Offset(long least, long most) {}

  private static final Distance ANY = new Distance(null, null);

  private final RexOrder orders;
  private final ImmutableBitSet left;
  private final ImmutableBitSet right;
  private final NodeOrder leftOrder;
  private final NodeOrder rightOrder;

  TimeBounds(Join join, Orders orders) {
    leftOrder = orders.of(join.getLeft());
    rightOrder = orders.of(join.getRight());
    List<FieldOrder> fields = new ArrayList<>(leftOrder.fields());
    int width = fields.size();
    fields.addAll(rightOrder.fields());
    this.orders = new RexOrder(fields);
    this.left = ImmutableBitSet.range(width);
    this.right = ImmutableBitSet.range(width, fields.size());
  }

  /** Returns the range that all conditions together allow. */
  Distance of(List<RexNode> conditions) {
    Distance found = ANY;
    for (RexNode condition : conditions) {
      for (RexNode conjunct : RelOptUtil.conjunctions(condition)) {
        found = found.and(conjunct instanceof RexCall call ? of(call) : ANY);
      }
    }
    return found;
  }

  /** Returns whether {@link #of} expresses the condition exactly. */
  boolean exact(RexNode condition) {
    return condition instanceof RexCall call && call.getOperands().size() == 2
        && exactTime(call.getOperands().get(0)) && exactTime(call.getOperands().get(1)) && !of(call).equals(ANY);
  }

  private boolean exactTime(RexNode time) {
    Offset offset = Plans.readsOnly(time, left) ? leftOffset(time) : Plans.readsOnly(time, right) ? rightOffset(time) : null;
    return offset != null && offset.least == offset.most;
  }

  private Distance of(RexCall call) {
    if (call.getOperands().size() != 2) {
      return ANY;
    }
    RexNode a = call.getOperands().get(0);
    RexNode b = call.getOperands().get(1);
    SqlKind kind = call.getKind();
    if (difference(a) != null) {
      return difference((RexCall) a, kind, RexConstants.millis(b));
    }
    if (difference(b) != null) {
      return difference((RexCall) b, kind.reverse(), RexConstants.millis(a));
    }
    return Plans.readsOnly(a, right) && Plans.readsOnly(b, left) ? compare(b, kind.reverse(), a, 0) : compare(a, kind, b, 0);
  }

  /** Returns the call that subtracts one time from another; null for any other expression. */
  private static RexCall difference(RexNode node) {
    return node instanceof RexCall call && call.getKind() == SqlKind.MINUS && call.getOperands().size() == 2
        && SqlTypeUtil.isInterval(call.getType()) && call.getOperands().stream().allMatch(o -> SqlTypeUtil.isTimestamp(o.getType()))
        ? call : null;
  }

  /** Returns the range for {@code a - b} compared with a constant. */
  private Distance difference(RexCall minus, SqlKind kind, Long millis) {
    RexNode a = minus.getOperands().get(0);
    RexNode b = minus.getOperands().get(1);
    if (millis == null) {
      return ANY;
    }
    return Plans.readsOnly(a, right) && Plans.readsOnly(b, left) ? compare(b, kind.reverse(), a, -millis) : compare(a, kind, b, millis);
  }

  /**
   * Returns the range for a function of the left time compared with a function of the right time plus {@code plus}
   * milliseconds.
   */
  private Distance compare(RexNode a, SqlKind kind, RexNode b, long plus) {
    if (!Plans.readsOnly(a, left) || !Plans.readsOnly(b, right)) {
      return ANY;
    }
    Offset x = leftOffset(a);
    Offset y = rightOffset(b);
    if (x == null || y == null) {
      return ANY;
    }
    // Times are whole milliseconds: if both sides are exact, less means at least one millisecond less.
    long strict = x.least == x.most && y.least == y.most && (kind == SqlKind.LESS_THAN || kind == SqlKind.GREATER_THAN) ? 1 : 0;
    Distance notBefore = new Distance(x.least - y.most - plus + strict, null);
    Distance notAfter = new Distance(null, x.most - y.least - plus - strict);
    return switch (kind) {
      case EQUALS -> notBefore.and(notAfter);
      case LESS_THAN, LESS_THAN_OR_EQUAL -> notBefore;
      case GREATER_THAN, GREATER_THAN_OR_EQUAL -> notAfter;
      default -> ANY;
    };
  }

  private Offset leftOffset(RexNode node) {
    return offset(node, leftOrder.clock(), leftOrder.rowtime());
  }

  private Offset rightOffset(RexNode node) {
    return offset(node, rightOrder.clock(), rightOrder.rowtime() < 0 ? -1 : left.cardinality() + rightOrder.rowtime());
  }

  /**
   * Returns the range of a function of ROWTIME; null for any other expression.
   *
   * @param clock the clock of its input
   * @param rowtime the column that is its input's ROWTIME
   */
  private Offset offset(RexNode node, List<ClockStep> clock, int rowtime) {
    FieldOrder order = orders.of(node);
    if (clock == null || !order.monotonicity().increasing() || !order.derivesFromRowtime()) {
      return null;
    }
    List<ClockStep> steps = ClockStep.relative(order.steps(), clock);
    if (steps == null) {
      return null;
    }
    // A different column may be behind the time of its clock by its disorder.
    boolean own = rowtime < 0 || !RelOptUtil.InputFinder.bits(node).equals(ImmutableBitSet.of(rowtime));
    Offset found = new Offset(0, own ? order.disorder() : 0);
    for (ClockStep step : steps) {
      long length = step.isWindow() ? step.longest() - 1 : 0;
      found = switch (step.function()) {
        case SHIFT -> new Offset(found.least + step.millis(), found.most + step.millis());
        case FLOOR -> new Offset(found.least - length, found.most);
        case CEIL -> new Offset(found.least, found.most + length);
        case LOCAL -> null;
      };
      if (found == null) {
        return null;
      }
    }
    return found;
  }
}
