package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.List;

/**
 * What a temporal join is told: each left row meets the versions that are the latest ones at a time of its own.
 *
 * @param shift how many microseconds after a left row's time that is
 * @param inclusive whether a version of that very time counts
 * @param identity columns of the right side whose values say whose version a row is; none where the keys do, of which there is
 *     then one version each
 * @param oneTask whether rows of any key can be versions of one another, so that all rows belong together
 * @param seq column of the right side (BIGINT) by which versions of one time follow one another; null where there is none
 * @param condition over the columns of both sides, as Spark SQL; null where the keys say all
 * @param ordered whether rows come out by bounds alone, so that they are in order over all tasks
 * @param rowtime name of the column with the ROWTIME of the result: the left row's time
 */
public record TemporalJoinSpec(JoinType joinType, Side left, Side right, long shift, boolean inclusive, List<String> identity,
    boolean oneTask, @Nullable String seq, @Nullable String condition, boolean ordered, String rowtime) implements OperatorSpec {
  /** LEFT: rows without a version come out as well. */
  public enum JoinType { INNER, LEFT }

  /**
   * One input.
   *
   * @param keys columns that are equal in matching rows, in the order of the other side's
   * @param columns those of the result
   * @param time of the left row; or since when the version holds: a TIMESTAMP
   * @param clock from the watermark to the bound of that time
   * @param disorder how far below one that has come the time of a later row can be; 0 where rows come in order, null where
   *     that cannot be told
   */
  public record Side(List<String> keys, List<String> columns, String time, List<BoundClock.Step> clock, @Nullable Long disorder)
      implements Serializable {

    /** The same as a side of an interval join, whose rows are there at one time alone. */
    public IntervalJoinSpec.Side at(long shift) {
      return new IntervalJoinSpec.Side(keys, columns, time, shift, shift, null, clock, disorder, false);
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

  /** Whether versions are told apart by more than their keys. */
  public boolean hasIdentity() {
    return !identity.isEmpty();
  }
}
