package io.rowtime.plan.node;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.node.Meaning.Role;
import java.util.List;

/**
 * A window of OVER, with the calls over it.
 *
 * @param placesPeers whether a RANGE frame depends on single rows of history that are equal in the order
 * @param byTime whether the order is one by which a stream makes progress
 * @param operator the calls of rowtime's own operator; null over history, and if the operator cannot compute them
 */
public record OverWindow(@Meaning(role = Role.COLUMN) List<Integer> partition, @Meaning(role = Role.PART) List<SortKey> order,
    @Meaning(role = Role.PART) Frame frame, @Meaning(role = Role.PART) List<OverCall> calls, @Meaning boolean placesPeers, @Meaning boolean byTime,
    @Meaning(role = Role.PART) @PlanField("") ComputedCalls operator) {

  /** @param rows whether the frame is one of ROWS, not of RANGE */
  public record Frame(@Meaning boolean rows, @Meaning(role = Role.PART) Border lower, @Meaning(role = Role.PART) Border upper) {}

  /**
   * An end of a frame.
   *
   * @param offset the distance; null if it has none
   */
  public record Border(@Meaning BorderKind kind, @Meaning(role = Role.EXPRESSION) Expression offset) {}

  /** Where a frame ends. */
  public enum BorderKind { UNBOUNDED_PRECEDING, PRECEDING, CURRENT_ROW, FOLLOWING, UNBOUNDED_FOLLOWING }

  /** A call over the rows of a frame. */
  public record OverCall(String function, List<Expression> args, boolean distinct, boolean ignoreNulls, String type, boolean nullable, String name) {}

  /**
   * Windows of a stream that are computed together.
   *
   * @param windows their numbers
   * @param clock how the bound of the rows follows from that of the sources
   * @param time the leading key of the order, if it is not ROWTIME; null if it is
   * @param closes the time at which the partition of a row is complete, in the domain of the input's ROWTIME; null if it never is
   * @param waits whether rows wait for later ones
   * @param waitsForRows whether they wait for a number of rows
   */
  public record Pass(@Meaning List<Integer> windows, @Meaning List<ClockStep> clock, @Meaning(role = Role.PART) PassTime time,
      @Meaning(role = Role.EXPRESSION) Expression closes, @Meaning boolean waits, @Meaning boolean waitsForRows) {}

  /** @param clock how the bound of the column follows from that of the sources; null if only the rows show it */
  public record PassTime(@Meaning(role = Role.COLUMN) int index, @Meaning List<ClockStep> clock) {}
}
