package io.rowtime.state;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/** Collects rows in arrival order and makes a {@link SortedRun} of them. */
public final class RowBuffer {
  /** A larger batch is split into several runs, so that no array comes near the limit of the JVM. */
  private static final int MAX_BYTES = 64 << 20;

  private byte[] bytes = new byte[1 << 12];
  private long[] releases = new long[32];
  private int[] offsets = new int[33];
  private int rows;
  private final long firstArrival;

  public RowBuffer(long firstArrival) {
    this.firstArrival = firstArrival;
  }

  public int rows() {
    return rows;
  }

  public boolean isFull() {
    return offsets[rows] >= MAX_BYTES;
  }

  public void add(long release, UnsafeRow row) {
    int from = offsets[rows];
    int size = row.getSizeInBytes();
    if (from + size > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(from + size, Math.min(bytes.length * 2, MAX_BYTES + (1 << 20))));
    }
    if (rows == releases.length) {
      releases = Arrays.copyOf(releases, rows * 2);
      offsets = Arrays.copyOf(offsets, rows * 2 + 1);
    }
    row.writeToMemory(bytes, Platform.BYTE_ARRAY_OFFSET + (long) from);
    releases[rows] = release;
    offsets[++rows] = from + size;
  }

  public SortedRun toRun() {
    int[] order = NaturalMergeSort.sort(rows, (left, right) -> releases[left] < releases[right]);
    byte[] out = new byte[offsets[rows] + rows * SortedRun.HEADER];
    ByteBuffer to = ByteBuffer.wrap(out);
    for (int row : order) {
      SortedRun.write(to, releases[row], firstArrival + row, bytes, offsets[row], offsets[row + 1] - offsets[row]);
    }
    return new SortedRun(out, 0, out.length);
  }
}
