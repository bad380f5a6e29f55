package io.rowtime.plan.monotone;

import io.rowtime.aggregate.AggregateFunction;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Modulus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Determines when an OVER emits rows: at once if every frame ends at or before the current row; else when the bound has
 * passed the end of the longest frame, or when the partition is complete.
 */
public final class WindowTiming {
  private static final int MAX_DIGITS = 19;

  private final Window window;
  private final NodeOrder input;

  public WindowTiming(Window window, NodeOrder input) {
    this.window = window;
    this.input = input;
  }

  /** Returns the partitioning column whose values close, and earliest if there are several; -1 if there is none. */
  public int closingKey(Window.Group group) {
    return new PartitionClosing(input).key(group.keys);
  }

  /** Returns the steps from the clock of the input to the column; null if the column does not follow from the clock. */
  public List<ClockStep> relative(int column) {
    return new PartitionClosing(input).steps(column);
  }

  /** Returns whether rows of the group wait until their partition is complete. */
  public boolean waitsForPartition(Window.Group group) {
    boolean whole = reads(group, AggregateFunction.Reads.PARTITION);
    boolean unlimited = group.upperBound.isUnbounded() && group.upperBound.isFollowing();
    return whole || unlimited || arrivalKey(group) < 0;
  }

  /** Returns the leading column of ORDER BY if it never goes back as rows arrive; else -1. */
  public int arrivalKey(Window.Group group) {
    List<RelFieldCollation> keys = group.orderKeys.getFieldCollations();
    if (keys.isEmpty() || keys.get(0).getDirection().isDescending()) {
      return -1;
    }
    int key = keys.get(0).getFieldIndex();
    FieldOrder order = input.fields().get(key);
    boolean counts = order.monotonicity().increasing() && order.disorder() == 0
        && isExact(window.getInput().getRowType().getFieldList().get(key).getType());
    // Clocks of a zone are sometimes set back, so rows with later local times may have arrived before.
    boolean follows = relative(key) != null && !ClockStep.anyLocal(relative(key));
    return follows || counts ? key : -1;
  }

  /** Returns whether the {@link #arrivalKey} is another time than ROWTIME. */
  public boolean isByOther(int key) {
    return key >= 0 && (relative(key) == null || !relative(key).isEmpty());
  }

  /** Returns whether differences of values are 64-bit integers. */
  private static boolean isExact(RelDataType type) {
    return !type.isNullable() && SqlTypeUtil.isExactNumeric(type) && type.getPrecision() <= MAX_DIGITS;
  }

  /** Returns whether rows of the group wait for later rows, by the value of their {@link #arrivalKey}. */
  public boolean waitsForValues(Window.Group group) {
    RexWindowBound upper = group.upperBound;
    boolean reaches = !group.isRows && !upper.isCurrentRow() && !upper.isUnbounded()
        && (upper.isFollowing() || Long.valueOf(0).equals(distance(upper)));
    return reaches || group.orderKeys.getFieldCollations().size() > 1;
  }

  /**
   * Returns whether rows of the group leave in order of their {@link #arrivalKey}, which others overtake: they wait for later values
   * of it, or a row has several, as of the starts of overlapping windows, so that it arrives out of order.
   */
  private boolean leavesByValue(Window.Group group) {
    if (waitsForValues(group)) {
      return true;
    }
    int key = arrivalKey(group);
    return key >= 0 && relative(key) != null && new PartitionClosing(input).spread(key) > 0 && input.fields().get(key).disorder() > 0;
  }

  /** Returns whether rows wait for a number of later rows of their partition, whenever those arrive. */
  public static boolean waitsForRows(Window.Group group) {
    return group.isRows && group.upperBound.isFollowing() && !group.upperBound.isUnbounded()
        || reads(group, AggregateFunction.Reads.LATER);
  }

  private static boolean reads(Window.Group group, AggregateFunction.Reads rows) {
    return group.aggCalls.stream().anyMatch(call -> AggregateFunction.reads(call.getOperator().getName()) == rows);
  }

  /**
   * Returns how long after its partition is complete a row can leave, in milliseconds: in order of another time, which does not end
   * with the partition. The rows of a minute, in order of the minutes from half to half, leave half a minute after it.
   */
  public long leaving(Window.Group group) {
    int order = arrivalKey(group);
    int closing = closingKey(group);
    if (order < 0 || closing < 0 || relative(order) == null || !isByOther(order) || waitsForPartition(group) || !leavesByValue(group)) {
      return 0;
    }
    PartitionClosing values = new PartitionClosing(input);
    boolean nested = ClockStep.relative(relative(order), relative(closing)) != null || ClockStep.relative(relative(closing), relative(order)) != null;
    return nested && values.spread(order) == values.spread(closing) ? 0 : ClockStep.atLeastApart(relative(order), values.spread(order) + 1);
  }

  /**
   * Windows with the same partitioning and order, which are computed together. Rows go through one pass after the
   * other, so a row that waits in one pass arrives later at the next.
   *
   * @param clock the clock of the rows that arrive at the pass; null if no bound can be derived
   */
  public record Pass(int number, List<Window.Group> groups, List<ClockStep> clock) {}

  /** Returns the passes: first those that emit rows at once, last those that wait for rows. */
  public List<Pass> passes() {
    Map<List<Object>, List<Window.Group>> together = new LinkedHashMap<>();
    for (Window.Group group : window.groups) {
      int key = arrivalKey(group);
      together.computeIfAbsent(List.of(group.keys, isByOther(key) ? key : -1), missing -> new ArrayList<>()).add(group);
    }
    List<List<Window.Group>> ordered = new ArrayList<>(together.values());
    ordered.sort(Comparator.comparing(groups -> groups.stream().anyMatch(WindowTiming::waitsForRows) ? 2
        : delay(groups) == null || !delay(groups).isEmpty() ? 1 : 0));
    List<Pass> passes = new ArrayList<>();
    List<ClockStep> clock = input.clock();
    for (List<Window.Group> groups : ordered) {
      passes.add(new Pass(passes.size(), groups, clock));
      clock = after(clock, groups);
    }
    return passes;
  }

  /**
   * Returns the clock of the output rows, which is never ahead of a row that still waits; null if no bound can be
   * derived.
   */
  List<ClockStep> clock() {
    List<Pass> passes = passes();
    Pass last = passes.get(passes.size() - 1);
    return after(last.clock(), last.groups());
  }

  /**
   * Returns whether rows leave in order of ROWTIME, as far as they do not wait for other rows. Those that go by another
   * time, or number, leave in order of that.
   */
  public boolean sorts() {
    List<Pass> passes = passes();
    int key = arrivalKey(passes.get(passes.size() - 1).groups().get(0));
    return !isByOther(key) || !isLate() && relative(key) != null;
  }

  /** Returns whether rows leave in another order than that of arrival. */
  boolean rearranges() {
    return isLate() && passes().stream().mapToInt(pass -> arrivalKey(pass.groups().get(0))).anyMatch(key -> key < 0 || relative(key) != null);
  }

  private boolean isLate() {
    return input.rowtime() < 0 || input.fields().get(input.rowtime()).disorder() > 0;
  }

  /**
   * Returns how far, at most, a row leaves behind a later one, in milliseconds: it may wait for rows of its partition until that is
   * complete, or leave in order of another time, which may be in several windows.
   */
  public long behind() {
    return passes().stream().mapToLong(pass -> behind(pass.groups())).max().orElse(0);
  }

  /** Returns the same of a pass. */
  public long behind(List<Window.Group> pass) {
    return pass.stream().mapToLong(this::behind).max().orElse(0);
  }

  private long behind(Window.Group group) {
    PartitionClosing values = new PartitionClosing(input);
    int closing = closingKey(group);
    if (!group.keys.isEmpty() && waitsForRows(group)) {
      return closing < 0 ? Modulus.UNLIMITED : Modulus.plus(values.behind(closing),
          relative(closing).stream().filter(ClockStep::isWindow).mapToLong(ClockStep::longest).sum());
    }
    return values.behind(waitsForPartition(group) ? closing : leavesByValue(group) ? arrivalKey(group) : -1);
  }

  private List<ClockStep> after(List<ClockStep> clock, List<Window.Group> groups) {
    List<ClockStep> delay = delay(groups);
    return clock == null || delay == null ? null : Stream.concat(clock.stream(), delay.stream()).toList();
  }

  /** Returns the steps from the bound of a pass's input to the bound of its output; null if there are none. */
  private List<ClockStep> delay(List<Window.Group> groups) {
    List<ClockStep> closing = closingKey(groups.get(0)) < 0 ? null : new PartitionClosing(input).waiting(closingKey(groups.get(0)));
    if (!input.hasClock() || groups.stream().anyMatch(this::waitsForPartition)) {
      return input.hasClock() ? closing : null;
    }
    List<ClockStep> delay = new ArrayList<>();
    if (groups.stream().anyMatch(this::leavesByValue)) {
      long following = groups.stream().filter(group -> !group.isRows && group.upperBound.isFollowing())
          .mapToLong(group -> distance(group.upperBound)).max().orElse(0);
      if (following > 0) {
        delay.add(ClockStep.shift(-following));
      }
      // A row also waits for its peers: by FLOOR(ROWTIME TO MINUTE), for the whole minute, so it may be as early as that.
      List<ClockStep> waiting = new PartitionClosing(input).waitingInOrder(arrivalKey(groups.get(0)));
      if (waiting == null) {
        return null;
      }
      delay.addAll(waiting);
    }
    if (groups.stream().anyMatch(WindowTiming::waitsForRows)) {
      if (closing == null) {
        return null;
      }
      delay.addAll(closing);
    }
    return delay;
  }

  /** Returns the distance of a frame bound, in the unit of the ORDER BY column; null if it has none. */
  private Long distance(RexWindowBound bound) {
    int width = window.getInput().getRowType().getFieldCount();
    return bound.getOffset() instanceof RexInputRef ref && ref.getIndex() >= width
        ? window.constants.get(ref.getIndex() - width).getValueAs(Long.class) : null;
  }
}
