package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.List;

/**
 * The parameters of an interval join.
 *
 * @param condition over the columns of both sides, as Spark SQL; null where the keys say all
 * @param ordered whether rows come out by the watermark alone, so that they are in order over all tasks; else the rows of a
 *     task tell as well how far the inputs have come
 * @param rowtime name of the column with the ROWTIME of the result
 */
public record IntervalJoinSpec(JoinType joinType, Side left, Side right, @Nullable String condition, boolean ordered,
    String rowtime) implements OperatorSpec {
  /** SEMI and ANTI: left rows that have a match, and left rows that have none, once each. */
  public enum JoinType { INNER, LEFT, RIGHT, FULL, SEMI, ANTI }

  /**
   * One input.
   *
   * @param keys columns that are equal in matching rows, in the order of the other side's
   * @param columns those of the result
   * @param time the row's ROWTIME, a TIMESTAMP
   * @param from from how many microseconds after it the row is there
   * @param to until how many microseconds after it; null with {@code rows}
   * @param rows the row is there until so many later rows of its input have come, whatever their keys, and no longer at the
   *     time of the last of them; null with {@code to}
   * @param clock from the watermark to the bound of the input's ROWTIME
   * @param disorder how far below one that has come the time of a later row can be; 0 where rows come in order, null where
   *     that cannot be told
   * @param distinct whether rows that are equal in all columns count once; such rows have equal times
   */
  public record Side(List<String> keys, List<String> columns, String time, long from, @Nullable Long to, @Nullable Integer rows,
      List<BoundClock.Step> clock, @Nullable Long disorder, boolean distinct) implements Serializable {
    public Side {
      if ((to == null) == (rows == null)) {
        throw new IllegalArgumentException("a side ends by time or by rows");
      }
    }

    public BoundClock boundClock() {
      return new BoundClock(clock);
    }
  }

  public IntervalJoinSpec {
    if (left.keys.size() != right.keys.size()) {
      throw new IllegalArgumentException("left and right have different numbers of keys");
    }
  }

  /** Whether windows go by the rows of a whole input, so that all rows belong together. */
  public boolean isByRows() {
    return left.rows != null || right.rows != null;
  }

  /** Whether rows of the left side that match nothing come out. */
  public boolean leftOuter() {
    return joinType == JoinType.LEFT || joinType == JoinType.FULL || joinType == JoinType.ANTI;
  }

  /** Whether the result has columns of the right side. */
  public boolean hasRight() {
    return joinType != JoinType.SEMI && joinType != JoinType.ANTI;
  }

  public boolean rightOuter() {
    return joinType == JoinType.RIGHT || joinType == JoinType.FULL;
  }
}
