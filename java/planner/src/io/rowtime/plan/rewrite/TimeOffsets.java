package io.rowtime.plan.rewrite;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.RexConstants;
import io.rowtime.plan.clock.TimeSum;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.RexOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The distance between a row's ROWTIME and functions of it: {@code FLOOR(ROWTIME TO HOUR)} is at most an hour less a millisecond
 * earlier. Each expression reads one of two joined inputs.
 */
final class TimeOffsets {
  /** The range of a value, in milliseconds after the ROWTIME of its row. */
  record Offset(long least, long most) {
    boolean isExact() {
      return least == most;
    }

    private Offset plus(long from, long to) {
      return new Offset(least + from, most + to);
    }

    private Offset or(Offset other) {
      return new Offset(Math.min(least, other.least), Math.max(most, other.most));
    }
  }

  /** A month has 28 to 31 days. */
  static final long SHORTEST_MONTH = 28 * 86_400_000L;
  static final long LONGEST_MONTH = 31 * 86_400_000L;

  private final List<FieldOrder> fields;
  private final RexOrder orders;
  private final NodeOrder left;
  private final NodeOrder right;

  TimeOffsets(NodeOrder left, NodeOrder right) {
    this.left = left;
    this.right = right;
    fields = new ArrayList<>(left.fields());
    fields.addAll(right.fields());
    orders = new RexOrder(fields);
  }

  /** Returns the range of a function of the ROWTIME of one input; null for any other expression. */
  Offset of(RexNode node) {
    ImmutableBitSet read = RelOptUtil.InputFinder.bits(node);
    int width = left.fields().size();
    if (read.isEmpty()) {
      return null;
    }
    return read.nth(0) < width ? of(node, left.clock(), left.rowtime())
        : of(node, right.clock(), right.rowtime() < 0 ? -1 : width + right.rowtime());
  }

  /**
   * @param clock the clock of the input that the expression reads
   * @param rowtime the column with the ROWTIME of that input, or -1
   */
  private Offset of(RexNode node, List<ClockStep> clock, int rowtime) {
    if (clock == null) {
      return null;
    }
    boolean own = rowtime < 0 || !RelOptUtil.InputFinder.bits(node).equals(ImmutableBitSet.of(rowtime));
    FieldOrder order = own ? orders.of(node) : ofRowtime(rowtime).of(node);
    if (!order.monotonicity().increasing() || !order.derivesFromRowtime()) {
      return node instanceof RexCall call ? composed(call, clock, rowtime) : null;
    }
    List<ClockStep> steps = own ? ClockStep.relative(order.steps(), clock) : order.steps();
    int last = clock.size() - 1;
    long shift = 0;
    if (steps == null && last >= 0 && clock.get(last).function() == ClockStep.Function.SHIFT) {
      // The value derives from the time of which ROWTIME is a shift.
      steps = ClockStep.relative(order.steps(), clock.subList(0, last));
      shift = clock.get(last).millis();
    }
    if (steps == null) {
      return null;
    }
    // A column other than ROWTIME can be past the time that the steps give, and so can ROWTIME itself.
    long past = rowtime < 0 ? 0 : fields.get(rowtime).spread();
    Offset found = own ? new Offset(-past - shift, order.spread() - shift) : new Offset(0, 0);
    for (ClockStep step : steps) {
      long length = step.isWindow() ? step.longest() - 1 : 0;
      found = switch (step.function()) {
        case SHIFT -> found.plus(step.millis(), step.millis());
        case FLOOR -> found.plus(-length, 0);
        case CEIL -> found.plus(0, length);
        case LOCAL -> null;
      };
      if (found == null) {
        return null;
      }
    }
    return found;
  }

  /** The orders of functions of ROWTIME itself, whose steps are those from its value. */
  private RexOrder ofRowtime(int rowtime) {
    List<FieldOrder> values = new ArrayList<>(fields);
    values.set(rowtime, FieldOrder.rowtime(0));
    return new RexOrder(values);
  }

  /** Returns the range of a time that is moved by months, or is one of several times: a PERIOD begins with the earlier of two. */
  private Offset composed(RexCall call, List<ClockStep> clock, int rowtime) {
    List<RexNode> args = call.getOperands();
    if (call.isA(SqlKind.CASE)) {
      int last = args.size() - 1;
      List<Offset> values = IntStream.rangeClosed(0, last).filter(i -> i % 2 == 1 || i == last).mapToObj(args::get)
          .filter(value -> !RexLiteral.isNullLiteral(value)).map(value -> of(value, clock, rowtime)).collect(Collectors.toList());
      return values.contains(null) ? null : values.stream().reduce(Offset::or).orElse(null);
    }
    TimeSum sum = TimeSum.of(call);
    Offset time = sum == null ? null : of(sum.time(), clock, rowtime);
    return time == null ? null : moved(time, sum.interval(), sum.plus() ? 1 : -1);
  }

  private static Offset moved(Offset time, RexNode interval, int sign) {
    Long millis = RexConstants.millis(interval);
    if (millis != null) {
      return time.plus(sign * millis, sign * millis);
    }
    Long months = RexConstants.months(interval);
    if (months == null) {
      return null;
    }
    long moved = sign * months;
    return moved < 0 ? time.plus(moved * LONGEST_MONTH, moved * SHORTEST_MONTH) : time.plus(moved * SHORTEST_MONTH, moved * LONGEST_MONTH);
  }
}
