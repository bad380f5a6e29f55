package io.rowtime.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/** Whole rows in memory, stored one after the other, and their order by (time, seq). */
public final class Rows {
  private static final int PAGE = 16 << 20;

  private final int fields;
  private final List<byte[]> pages = new ArrayList<>();
  private int filled = PAGE;
  /** The number of the page, and the offset in it. */
  private long[] addresses = new long[64];
  private int[] sizes = new int[64];
  private long[] times = new long[64];
  private long[] seqs = new long[64];
  private int count;
  private int[] order;
  private int hidden;

  public Rows(int fields) {
    this.fields = fields;
  }

  /** Returns the content of a row whose memory is reused. */
  public static byte[] bytes(UnsafeRow row) {
    byte[] bytes = new byte[row.getSizeInBytes()];
    row.writeToMemory(bytes, Platform.BYTE_ARRAY_OFFSET);
    return bytes;
  }

  /** Returns how many of the rows, in order, are visible. */
  public int count() {
    return count - hidden;
  }

  /** Hides the last rows, this many. */
  public void hideLast(int rows) {
    hidden = rows;
  }

  public long time(int row) {
    return times[row];
  }

  /** @param seq orders rows of the same time; rows equal in both keep their order */
  public int add(UnsafeRow row, long time, long seq) {
    int size = row.getSizeInBytes();
    if (pages.isEmpty() || filled + size > PAGE) {
      pages.add(new byte[pages.isEmpty() && size <= 1 << 12 ? 1 << 16 : Math.max(PAGE, size)]);
      filled = 0;
    } else if (filled + size > pages.get(pages.size() - 1).length) {
      // The first page starts small, because most batches are.
      byte[] page = pages.remove(pages.size() - 1);
      pages.add(Arrays.copyOf(page, Math.min(PAGE, Math.max(filled + size, page.length * 4))));
    }
    if (count == sizes.length) {
      addresses = Arrays.copyOf(addresses, count * 2);
      sizes = Arrays.copyOf(sizes, count * 2);
      times = Arrays.copyOf(times, count * 2);
      seqs = Arrays.copyOf(seqs, count * 2);
    }
    int page = pages.size() - 1;
    row.writeToMemory(pages.get(page), Platform.BYTE_ARRAY_OFFSET + (long) filled);
    addresses[count] = (long) page << 32 | filled;
    sizes[count] = size;
    times[count] = time;
    seqs[count] = seq;
    filled += size;
    order = null;
    return count++;
  }

  /** Points {@code to} at a row, which is valid as long as this object. */
  public UnsafeRow get(int row, UnsafeRow to) {
    long address = addresses[row];
    to.pointTo(pages.get((int) (address >>> 32)), Platform.BYTE_ARRAY_OFFSET + (address & 0xFFFFFFFFL), sizes[row]);
    return to;
  }

  public UnsafeRow view() {
    return new UnsafeRow(fields);
  }

  /** Returns the numbers of all rows in order of (time, seq). */
  public int[] order() {
    if (order == null) {
      order = NaturalMergeSort.sort(count, this::precedes);
    }
    return order;
  }

  private boolean precedes(int left, int right) {
    return times[left] < times[right] || times[left] == times[right] && seqs[left] < seqs[right];
  }
}
