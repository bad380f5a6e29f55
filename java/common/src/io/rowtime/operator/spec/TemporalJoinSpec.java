package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.List;

/**
 * The parameters of a temporal join: each left row is joined with the versions that are the latest at a time derived
 * from the row; or, with {@code within}, with the next row from that time on.
 *
 * @param shift how many microseconds after the left row's time that is
 * @param inclusive whether versions of exactly that time count
 * @param within the latest time of the next row, in microseconds after the left row's time; null to join with the latest
 *     versions
 * @param identity the columns of the right side that identify the entity of a version; empty if the keys do, which then
 *     have one version each
 * @param oneTask whether rows with different keys can be versions of the same entity, so that one task must process all
 *     rows
 * @param seq the column of the right side (BIGINT) that orders versions of the same time; null if there is none
 * @param rowtime the name of the column with the ROWTIME of the result, which is the left row's time
 */
public record TemporalJoinSpec(JoinType joinType, Side left, Side right, long shift, boolean inclusive, @Nullable Long within,
    List<String> identity, boolean oneTask, @Nullable String seq, String rowtime) implements OperatorSpec {
  /** LEFT also returns rows without a version. */
  public enum JoinType { INNER, LEFT }

  /**
   * One input.
   *
   * @param keys the columns that are equal in matching rows, in the order of the other side's
   * @param columns the columns of the result
   * @param time the time of the left row, or the time from which on the version holds: a TIMESTAMP
   * @param clock the function from the watermark to the bound of that time
   * @param arrivals how its rows arrive
   */
  public record Side(List<String> keys, List<String> columns, String time, List<BoundClock.ClockStep> clock, Arrivals arrivals)
      implements Serializable {

    /** Returns the same as a side of an interval join, whose rows are present at one time only. */
    public IntervalJoinSpec.Side at(long shift) {
      return new IntervalJoinSpec.Side(keys, columns, time, shift, shift, null, null, clock, arrivals, false);
    }
  }

  public TemporalJoinSpec {
    if (left.keys.size() != right.keys.size()) {
      throw new IllegalArgumentException("left and right have different numbers of keys");
    }
  }

  public boolean isOuter() {
    return joinType == JoinType.LEFT;
  }

  /** Returns whether more than the keys identifies the entity of a version. */
  public boolean hasIdentity() {
    return !identity.isEmpty();
  }
}
