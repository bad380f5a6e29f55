package io.rowtime.plan.rewrite;

import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.rel.Plans;
import java.util.List;
import java.util.function.BinaryOperator;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The distance in time that conditions allow between matching rows of two joined streams.
 *
 * <p>A condition limits it if it compares a function of the left row's ROWTIME with one of the right row's, or their difference with
 * a constant. Each such function is within a range around its ROWTIME ({@link TimeOffsets}). The limits of an OR are those of its
 * operands together; rows within the limits need not match.
 */
final class TimeBounds {
  /**
   * How much later than the left row the right one of a match is, in milliseconds.
   *
   * @param least null if there is no limit
   * @param most null if there is no limit
   */
  record Distance(Long least, Long most) {
    boolean isBounded() {
      return least != null && most != null;
    }

    /** Returns whether no rows can be this far apart. */
    private boolean isEmpty() {
      return isBounded() && least > most;
    }

    private Distance and(Distance other) {
      return new Distance(limit(least, other.least, Math::max), limit(most, other.most, Math::min));
    }

    private Distance or(Distance other) {
      if (isEmpty() || other.isEmpty()) {
        return isEmpty() ? other : this;
      }
      return new Distance(least == null || other.least == null ? null : Long.valueOf(Math.min(least, other.least)),
          most == null || other.most == null ? null : Long.valueOf(Math.max(most, other.most)));
    }

    private static Long limit(Long a, Long b, BinaryOperator<Long> nearer) {
      return a == null ? b : b == null ? a : nearer.apply(a, b);
    }
  }

  private static final Distance ANY = new Distance(null, null);

  private final RexBuilder rex;
  private final ImmutableBitSet left;
  private final ImmutableBitSet right;
  private final TimeOffsets offsets;

  TimeBounds(Join join, OrderAnalysis orders) {
    rex = join.getCluster().getRexBuilder();
    NodeOrder leftOrder = orders.ofMatches(join.getLeft());
    NodeOrder rightOrder = orders.ofMatches(join.getRight());
    int width = leftOrder.fields().size();
    left = ImmutableBitSet.range(width);
    right = ImmutableBitSet.range(width, width + rightOrder.fields().size());
    offsets = new TimeOffsets(leftOrder, rightOrder);
  }

  /** Returns the distance that all of the conditions together allow. */
  Distance of(List<RexNode> conditions) {
    Distance found = ANY;
    for (RexNode condition : conditions) {
      found = found.and(of(condition));
    }
    return found;
  }

  /** Returns whether a condition is equivalent to the distance that {@link #of} returns for it. */
  boolean exact(RexNode condition) {
    return condition instanceof RexCall call && call.getOperands().size() == 2
        && exactTime(call.getOperands().get(0)) && exactTime(call.getOperands().get(1)) && !of(call).equals(ANY);
  }

  /** Returns whether a time has a constant distance from ROWTIME, and is not NULL: only the condition excludes NULL. */
  private boolean exactTime(RexNode time) {
    TimeOffsets.Offset offset = isOfOneSide(time) && !time.getType().isNullable() ? offsets.of(time) : null;
    return offset != null && offset.isExact();
  }

  /** Returns whether an expression is a time of one side at an unknown distance from its ROWTIME. */
  boolean isUnknownTime(RexNode expr) {
    return isOfOneSide(expr) && offsets.of(expr) == null;
  }

  private boolean isOfOneSide(RexNode expr) {
    return Plans.readsOnly(expr, left) || Plans.readsOnly(expr, right);
  }

  private Distance of(RexNode condition) {
    if (!(condition instanceof RexCall call)) {
      return ANY;
    }
    List<RexNode> operands = call.getOperands();
    return switch (call.getKind()) {
      case AND -> of(operands).and(CalendarFields.equalities(operands, rex).stream().map(this::of).reduce(ANY, Distance::and));
      case OR -> operands.stream().map(this::of).reduce(Distance::or).orElse(ANY);
      case NOT -> not(operands.get(0));
      case IS_TRUE -> of(operands.get(0));
      case IS_FALSE -> not(operands.get(0));
      case SEARCH -> of(RexUtil.expandSearch(rex, null, call));
      case IS_NOT_DISTINCT_FROM -> operands.stream().anyMatch(operand -> operand.getType().isNullable()) ? ANY
          : compare(operands.get(0), SqlKind.EQUALS, operands.get(1));
      default -> operands.size() == 2 ? compare(operands.get(0), call.getKind(), operands.get(1)) : ANY;
    };
  }

  /** Returns the distance that a condition allows when it is false. */
  private Distance not(RexNode condition) {
    if (!(condition instanceof RexCall call)) {
      return ANY;
    }
    List<RexNode> operands = call.getOperands();
    return switch (call.getKind()) {
      case AND -> operands.stream().map(this::not).reduce(Distance::or).orElse(ANY);
      case OR -> operands.stream().map(this::not).reduce(ANY, Distance::and);
      case NOT -> of(operands.get(0));
      case SEARCH -> not(RexUtil.expandSearch(rex, null, call));
      case NOT_EQUALS -> compare(operands.get(0), SqlKind.EQUALS, operands.get(1));
      case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          compare(operands.get(0), call.getKind().negateNullSafe(), operands.get(1));
      default -> ANY;
    };
  }

  private Distance compare(RexNode a, SqlKind kind, RexNode b) {
    TimeDifference difference = TimeDifference.of(a);
    if (difference != null) {
      return difference(difference.range(kind, b), difference);
    }
    difference = TimeDifference.of(b);
    if (difference != null) {
      return difference(difference.range(kind.reverse(), a), difference);
    }
    RexNode year = CalendarFields.floor(a, rex);
    RexNode otherYear = CalendarFields.floor(b, rex);
    if (year != null && otherYear != null) {
      return compare(year, kind, otherYear);
    }
    return Plans.readsOnly(a, right) && Plans.readsOnly(b, left) ? times(b, kind.reverse(), a) : times(a, kind, b);
  }

  /** Returns the distance that a comparison of a function of the left time with one of the right time allows. */
  private Distance times(RexNode a, SqlKind kind, RexNode b) {
    if (!Plans.readsOnly(a, left) || !Plans.readsOnly(b, right)) {
      return ANY;
    }
    boolean exact = exactOffset(a) && exactOffset(b);
    // Times are whole milliseconds: if both sides are exact, less means at least one millisecond less.
    long strict = exact && (kind == SqlKind.LESS_THAN || kind == SqlKind.GREATER_THAN) ? 1 : 0;
    return switch (kind) {
      case EQUALS -> apart(a, b, new Distance(0L, 0L));
      case LESS_THAN, LESS_THAN_OR_EQUAL -> apart(a, b, new Distance(strict, null));
      case GREATER_THAN, GREATER_THAN_OR_EQUAL -> apart(a, b, new Distance(null, -strict));
      default -> ANY;
    };
  }

  private boolean exactOffset(RexNode time) {
    TimeOffsets.Offset offset = offsets.of(time);
    return offset != null && offset.isExact();
  }

  private Distance difference(Distance range, TimeDifference difference) {
    RexNode later = difference.later();
    RexNode earlier = difference.earlier();
    if (Plans.readsOnly(later, right) && Plans.readsOnly(earlier, left)) {
      return apart(earlier, later, range);
    }
    boolean reversed = Plans.readsOnly(later, left) && Plans.readsOnly(earlier, right);
    return !reversed ? ANY : apart(later, earlier, new Distance(range.most() == null ? null : Long.valueOf(-range.most()),
        range.least() == null ? null : Long.valueOf(-range.least())));
  }

  /** Returns the distance of rows if a function {@code b} of the right time is {@code values} later than a function {@code a} of the left one. */
  private Distance apart(RexNode a, RexNode b, Distance values) {
    TimeOffsets.Offset x = offsets.of(a);
    TimeOffsets.Offset y = offsets.of(b);
    if (x == null || y == null) {
      return ANY;
    }
    return new Distance(values.least() == null ? null : Long.valueOf(values.least() + x.least() - y.most()),
        values.most() == null ? null : Long.valueOf(values.most() + x.most() - y.least()));
  }
}
