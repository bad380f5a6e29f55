package io.rowtime.operator.join;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.IntFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** The output rows of a batch of a join: the columns of the left row, those of the right row, and the time. */
final class JoinedRows implements Iterator<InternalRow> {
  private final RowJoiner joiner;
  private final int count;
  private final IntFunction<UnsafeRow> left;
  private final IntFunction<UnsafeRow> right;
  private final long[] times;
  private final Runnable end;
  private int next;

  /**
   * @param left returns the left row of each of {@code count} rows, valid until the next call, or null for none
   * @param times the times, in microseconds
   * @param end called after the last row has been read
   */
  JoinedRows(RowJoiner joiner, int count, IntFunction<UnsafeRow> left, IntFunction<UnsafeRow> right, long[] times, Runnable end) {
    this.joiner = joiner;
    this.count = count;
    this.left = left;
    this.right = right;
    this.times = times;
    this.end = end;
  }

  @Override public boolean hasNext() {
    if (next == count) {
      end.run();
      next++;
    }
    return next < count;
  }

  @Override public InternalRow next() {
    if (next >= count) {
      throw new NoSuchElementException();
    }
    int row = next++;
    return joiner.join(left.apply(row), right.apply(row), times[row]);
  }
}
