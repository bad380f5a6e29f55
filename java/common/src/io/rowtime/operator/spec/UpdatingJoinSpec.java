package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.List;

/**
 * The parameters of a join of rows that are added and retracted. Whenever rows of an input change, it emits what that changes.
 *
 * @param onlyAdds whether no row of the result is ever retracted; each is then emitted as often as it is added
 */
public record UpdatingJoinSpec(JoinType joinType, Side left, Side right, boolean onlyAdds) implements OperatorSpec {
  /** SEMI returns the left rows that have a match, ANTI those that have none, once each. */
  public enum JoinType { INNER, LEFT, RIGHT, FULL, SEMI, ANTI }

  /** The name of the output column with how often a row is added (above 0) or retracted (below 0), a BIGINT. */
  public static final String CHANGE = "rowtime_change";

  /**
   * One input.
   *
   * @param keys the columns that are equal in matching rows, in the order of the other side's; there is at least one
   * @param columns the columns of the result
   * @param change the column with how often a row is added or retracted, a BIGINT
   * @param progress how far the input has advanced; null if no row of the other side ends
   * @param end when a row has had its last match, and is dropped; null if it is kept
   */
  public record Side(List<String> keys, List<String> columns, String change, @Nullable Progress progress, @Nullable End end) implements Serializable {
    public BoundClock clock() {
      return new BoundClock(progress.clock);
    }
  }

  /**
   * How far an input has advanced.
   *
   * @param time the column of the result with ROWTIME
   * @param clock the steps from the watermark to the least ROWTIME of later rows
   */
  public record Progress(String time, List<BoundClock.ClockStep> clock, Arrivals arrivals) implements Serializable {}

  /**
   * A row matches no row of the other input whose ROWTIME is later than this.
   *
   * @param column the column of the result with a TIMESTAMP; a row in which it is NULL matches nothing
   * @param micros to add to it
   */
  public record End(String column, long micros) implements Serializable {}

  public UpdatingJoinSpec {
    if (left.keys.size() != right.keys.size()) {
      throw new IllegalArgumentException("left and right have different numbers of keys");
    }
  }

  /** Returns whether a left row without a match is in the result. */
  public boolean leftOuter() {
    return joinType == JoinType.LEFT || joinType == JoinType.FULL || joinType == JoinType.ANTI;
  }

  public boolean rightOuter() {
    return joinType == JoinType.RIGHT || joinType == JoinType.FULL;
  }

  /** Returns whether the result has columns of the right side. */
  public boolean hasRight() {
    return joinType != JoinType.SEMI && joinType != JoinType.ANTI;
  }
}
