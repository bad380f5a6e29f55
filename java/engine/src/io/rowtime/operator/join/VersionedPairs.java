package io.rowtime.operator.join;

import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/** The output of a batch of a temporal join: numbers of left rows, each with a version or none. */
final class VersionedPairs {
  private long[] lefts = new long[64];
  private byte[][] versions = new byte[64][];
  private long[] times = new long[64];
  private int count;

  /** @param version the columns of the right row; null for none */
  void add(long left, byte[] version, long time) {
    if (count == times.length) {
      lefts = Arrays.copyOf(lefts, count * 2);
      versions = Arrays.copyOf(versions, count * 2);
      times = Arrays.copyOf(times, count * 2);
    }
    lefts[count] = left;
    versions[count] = version;
    times[count++] = time;
  }

  /**
   * Returns the columns of the left row, those of the version, and the time.
   *
   * @param right points at the version of each output row
   * @param end called after the last row has been read
   */
  Iterator<InternalRow> rows(JoinRows left, UnsafeRow right, RowJoiner joiner, Runnable end) {
    UnsafeRow leftRow = left.view();
    return new JoinedRows(joiner, count, i -> left.get(lefts[i], leftRow), i -> {
      byte[] bytes = versions[i];
      if (bytes == null) {
        return null;
      }
      right.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
      return right;
    }, times, end);
  }
}
