package io.rowtime.operator.join;

import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
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
  Iterator<InternalRow> rows(JoinRows left, int leftFields, JoinRows right, int rightFields, Runnable end) {
    UnsafeRow leftRow = left.view();
    UnsafeRow rightRow = right.view();
    InternalRow noLeft = new GenericInternalRow(leftFields);
    InternalRow noRight = new GenericInternalRow(rightFields);
    return new JoinedRows(count, i -> lefts[i] == JoinRows.NONE ? noLeft : left.get(lefts[i], leftRow),
        i -> rights[i] == JoinRows.NONE ? noRight : right.get(rights[i], rightRow), times, end);
  }
}
