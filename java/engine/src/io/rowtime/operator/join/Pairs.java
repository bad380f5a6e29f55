package io.rowtime.operator.join;

import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** The output of a batch of a join, as pairs of row numbers of its inputs, one of which may be missing. */
final class Pairs {
  private long[] lefts = new long[64];
  private long[] rights = new long[64];
  private long[] times = new long[64];
  private int count;

  void add(long left, long right, long time) {
    if (count == times.length) {
      lefts = Arrays.copyOf(lefts, count * 2);
      rights = Arrays.copyOf(rights, count * 2);
      times = Arrays.copyOf(times, count * 2);
    }
    lefts[count] = left;
    rights[count] = right;
    times[count++] = time;
  }

  /**
   * Returns the columns of the left row, those of the right row, and the time.
   *
   * @param end called after the last row has been read
   */
  Iterator<InternalRow> rows(JoinRows left, JoinRows right, RowJoiner joiner, Runnable end) {
    UnsafeRow leftRow = left.view();
    UnsafeRow rightRow = right.view();
    return new JoinedRows(joiner, count, i -> lefts[i] == JoinRows.NONE ? null : left.get(lefts[i], leftRow),
        i -> rights[i] == JoinRows.NONE ? null : right.get(rights[i], rightRow), times, end);
  }
}
