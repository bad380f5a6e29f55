package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.List;

/**
 * The parameters of an interval join.
 *
 * @param rowtime the name of the column with the ROWTIME of the result
 */
public record IntervalJoinSpec(JoinType joinType, Side left, Side right, String rowtime) implements OperatorSpec {
  /** SEMI returns the left rows that have a match, ANTI those that have none, once each. */
  public enum JoinType { INNER, LEFT, RIGHT, FULL, SEMI, ANTI }

  /**
   * One input.
   *
   * @param keys the columns that are equal in matching rows, in the order of the other side's
   * @param columns the columns of the result
   * @param time the row's ROWTIME, a TIMESTAMP
   * @param from how many microseconds after its time the row starts being present
   * @param to how many microseconds after its time the row stops being present; null with {@code rows}
   * @param rows the row is present until this many later rows of its input have arrived, whatever their keys, but not
   *     at the time of the last of them; null with {@code to}
   * @param window limits the presence of a row to the window that contains its time: an end of its interval outside of
   *     it is moved to the window's first or last millisecond; null if there is no window
   * @param clock the function from the watermark to the bound of the input's ROWTIME
   * @param arrivals how its rows arrive
   * @param distinct whether duplicates, rows that are equal in all columns, count once; such rows have equal times
   */
  public record Side(List<String> keys, List<String> columns, String time, long from, @Nullable Long to, @Nullable Integer rows,
      @Nullable TimeWindow window, List<BoundClock.ClockStep> clock, Arrivals arrivals, boolean distinct) implements Serializable {
    public Side {
      if ((to == null) == (rows == null)) {
        throw new IllegalArgumentException("a side ends by time or by rows");
      }
      if (window != null && rows != null) {
        throw new IllegalArgumentException("rows have no window of time");
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

  /** Returns whether windows count the rows of a whole input, so that one task must process all rows. */
  public boolean isByRows() {
    return left.rows != null || right.rows != null;
  }

  /** Returns whether left rows without a match are emitted. */
  public boolean leftOuter() {
    return joinType == JoinType.LEFT || joinType == JoinType.FULL || joinType == JoinType.ANTI;
  }

  /** Returns whether the result has columns of the right side. */
  public boolean hasRight() {
    return joinType != JoinType.SEMI && joinType != JoinType.ANTI;
  }

  public boolean rightOuter() {
    return joinType == JoinType.RIGHT || joinType == JoinType.FULL;
  }
}
