package io.rowtime.state;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * Rows in order of (release, arrival), one after the other in a byte array: release, arrival and size as longs, then
 * the row in Spark's binary format. All lengths are multiples of 8 bytes, so rows can be read in place.
 */
public final class SortedRun {
  public static final int HEADER = 24;

  public final byte[] bytes;
  private final ByteBuffer view;
  private final int end;
  private int at;

  public SortedRun(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.view = ByteBuffer.wrap(bytes);
    this.at = from;
    this.end = end;
  }

  public static void write(ByteBuffer to, long release, long arrival, byte[] row, int offset, int size) {
    to.putLong(release).putLong(arrival).putLong(size).put(row, offset, size);
  }

  public boolean isEmpty() {
    return at >= end;
  }

  public int position() {
    return at;
  }

  /** Returns the release time in microseconds; valid while the run is not empty. */
  public long release() {
    return view.getLong(at);
  }

  public long arrival() {
    return view.getLong(at + 8);
  }

  public int size() {
    return (int) view.getLong(at + 16);
  }

  public int payload() {
    return at + HEADER;
  }

  public void skip() {
    at += HEADER + size();
  }

  public UnsafeRow row(int fields) {
    UnsafeRow row = new UnsafeRow(fields);
    row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET + (long) payload(), size());
    return row;
  }

  /**
   * Removes the rows to be released at {@code clock} (microseconds) or earlier, and returns them as a run; this run
   * continues after them.
   */
  public SortedRun cut(long clock) {
    int from = at;
    while (!isEmpty() && release() <= clock) {
      skip();
    }
    return new SortedRun(bytes, from, at);
  }

  private static final Comparator<SortedRun> ORDER = Comparator.comparingLong(SortedRun::release).thenComparingLong(SortedRun::arrival);

  /** Returns the rows of several runs merged in order of (release, arrival). */
  public static Iterator<InternalRow> merge(Collection<SortedRun> runs, int fields) {
    PriorityQueue<SortedRun> queue = new PriorityQueue<>(Math.max(1, runs.size()), ORDER);
    runs.stream().filter(run -> !run.isEmpty()).forEach(queue::add);
    return new Iterator<>() {
      @Override public boolean hasNext() {
        return !queue.isEmpty();
      }

      @Override public InternalRow next() {
        SortedRun first = queue.poll();
        if (first == null) {
          throw new NoSuchElementException();
        }
        InternalRow row = first.row(fields);
        first.skip();
        if (!first.isEmpty()) {
          queue.add(first);
        }
        return row;
      }
    };
  }
}
