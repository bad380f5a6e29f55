package io.rowtime.operator.join;

import io.rowtime.state.values.Output;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.unsafe.Platform;

/**
 * The rows of one input of a join in memory, in order of time. They have ascending numbers; each row enters, from when
 * on rows of the other input find it by its key, and ends.
 */
final class JoinRows {
  /** No row. */
  static final long NONE = -1;
  /** The slot of rows that match nothing because a key is NULL. */
  static final int NO_KEY = -1;

  private static final int PAGE = 1 << 20;
  private static final int SMALL_PAGE = 1 << 12;
  private static final byte MATCHED = 1;

  private final int fields;

  /**
   * Rows [kept, end) are in memory; those from {@code first} on have not ended, those from {@code entered} on have not
   * entered.
   */
  private long kept;
  private long first;
  private long entered;
  private long end;

  /** Indexed by row number modulo the length, which is a power of two. */
  private long[] times = new long[64];
  private int[] slots = new int[64];
  private long[] next = new long[64];
  private long[] addresses = new long[64];
  private int[] sizes = new int[64];
  private byte[] flags = new byte[64];
  private int mask = 63;

  /** By slot: the first and the last row of its list plus 1, or 0. These rows have entered and not ended. */
  private long[] heads = new long[64];
  private long[] tails = new long[64];

  /**
   * Pages are filled in arrival order, which may differ from the order of times; null if none of the page's rows is
   * kept.
   */
  private final List<byte[]> pages = new ArrayList<>();
  /** The number of rows of each page that are kept. */
  private int[] rowsOfPage = new int[16];
  /** The number of the first page, and the number of bytes used in the last one. */
  private int firstPage;
  private int filled = PAGE;

  JoinRows(int fields) {
    this.fields = fields;
  }

  /** Rows before this one are no longer in memory. */
  long firstKept() {
    return kept;
  }

  long first() {
    return first;
  }

  long nextToEnter() {
    return entered;
  }

  long end() {
    return end;
  }

  long time(long row) {
    return times[at(row)];
  }

  int slot(long row) {
    return slots[at(row)];
  }

  boolean isMatched(long row) {
    return flags[at(row)] != 0;
  }

  private int at(long row) {
    return (int) row & mask;
  }

  /**
   * Copies a row's columns into memory; returns the address for {@link #append}. Rows that are not appended are dropped
   * by {@link #trim}.
   */
  long store(Object base, long offset, int size) {
    int last = pages.size() - 1;
    // A row none of whose columns are needed has no bytes.
    if (pages.isEmpty() || filled + size > PAGE) {
      // The first page starts small, because most batches are.
      pages.add(new byte[Math.max(size, pages.isEmpty() ? SMALL_PAGE : PAGE)]);
      last++;
      filled = 0;
      if (last == rowsOfPage.length) {
        rowsOfPage = Arrays.copyOf(rowsOfPage, last * 2);
      }
    } else if (filled + size > pages.get(last).length) {
      pages.set(last, Arrays.copyOf(pages.get(last), Math.min(PAGE, Math.max(filled + size, pages.get(last).length * 4))));
    }
    Platform.copyMemory(base, offset, pages.get(last), Platform.BYTE_ARRAY_OFFSET + (long) filled, size);
    long address = (long) (firstPage + last) << 32 | filled;
    filled += size;
    return address;
  }

  /** Appends a row, whose time is not before those of the others. */
  void append(long time, int slot, long address, int size) {
    if (end - kept == times.length) {
      grow();
    }
    int at = at(end++);
    times[at] = time;
    slots[at] = slot;
    addresses[at] = address;
    sizes[at] = size;
    flags[at] = 0;
    rowsOfPage[(int) (address >>> 32) - firstPage]++;
  }

  private void grow() {
    int length = times.length * 2;
    long[] newTimes = new long[length];
    int[] newSlots = new int[length];
    long[] newNext = new long[length];
    long[] newAddresses = new long[length];
    int[] newSizes = new int[length];
    byte[] newFlags = new byte[length];
    for (long row = kept; row < end; row++) {
      int from = at(row);
      int to = (int) row & length - 1;
      newTimes[to] = times[from];
      newSlots[to] = slots[from];
      newNext[to] = next[from];
      newAddresses[to] = addresses[from];
      newSizes[to] = sizes[from];
      newFlags[to] = flags[from];
    }
    times = newTimes;
    slots = newSlots;
    next = newNext;
    addresses = newAddresses;
    sizes = newSizes;
    flags = newFlags;
    mask = length - 1;
  }

  /** Appends the next row; returns its number. */
  long append() {
    long row = entered++;
    int slot = slot(row);
    if (slot != NO_KEY) {
      if (slot >= heads.length) {
        int length = Math.max(slot + 1, heads.length * 2);
        heads = Arrays.copyOf(heads, length);
        tails = Arrays.copyOf(tails, length);
      }
      next[at(row)] = 0;
      if (tails[slot] == 0) {
        heads[slot] = row + 1;
      } else {
        next[at(tails[slot] - 1)] = row + 1;
      }
      tails[slot] = row + 1;
    }
    return row;
  }

  /**
   * Ends the first row; returns its number. It can be read until {@link #trim}. It may not have entered: among rows of
   * one time, a window of ROWS only ever contains the last ones.
   */
  long endFirst() {
    long row = first++;
    if (row == entered) {
      entered++;
      return row;
    }
    int slot = slot(row);
    // Rows of a key end in the order of its list, so a row that is not the first is not in the list any more.
    if (slot != NO_KEY && heads[slot] == row + 1) {
      removeFirst(slot);
    }
    return row;
  }

  private void removeFirst(int slot) {
    heads[slot] = next[at(heads[slot] - 1)];
    if (heads[slot] == 0) {
      tails[slot] = 0;
    }
  }

  /** Returns the first row of a key that has entered and not ended, or {@link #NONE}. */
  long firstOf(int slot) {
    return slot == NO_KEY || slot >= heads.length ? NONE : heads[slot] - 1;
  }

  /** Returns the next row of the same key, or {@link #NONE}. */
  long nextOf(long row) {
    return next[at(row)] - 1;
  }

  /** Like {@link #firstOf}, for rows without a match: removes the rows before it from the list of their key. */
  long firstUnmatchedOf(int slot) {
    while (firstOf(slot) != NONE && isMatched(firstOf(slot))) {
      removeFirst(slot);
    }
    return firstOf(slot);
  }

  /** Like {@link #nextOf}, for rows without a match: removes the rows in between from the list of their key. */
  long nextUnmatchedOf(long row) {
    long found = nextOf(row);
    while (found != NONE && isMatched(found)) {
      found = nextOf(found);
    }
    next[at(row)] = found + 1;
    if (found == NONE) {
      tails[slot(row)] = row + 1;
    }
    return found;
  }

  /** Records a match of a row; returns whether it is the first one. */
  boolean match(long row) {
    int at = at(row);
    boolean first = flags[at] == 0;
    flags[at] = MATCHED;
    return first;
  }

  int size(long row) {
    return sizes[at(row)];
  }

  void write(long row, Output to) {
    long address = addresses[at(row)];
    to.bytes(page(address), (int) address, sizes[at(row)]);
  }

  /** Writes the columns of a row that has been stored but not appended, as BINARY. */
  void write(long address, int size, UnsafeRowWriter to, int column) {
    to.write(column, page(address), (int) address, size);
  }

  /** Points {@code to} at the columns of a row. */
  UnsafeRow get(long row, UnsafeRow to) {
    long address = addresses[at(row)];
    to.pointTo(page(address), Platform.BYTE_ARRAY_OFFSET + (address & 0xFFFFFFFFL), sizes[at(row)]);
    return to;
  }

  private byte[] page(long address) {
    return pages.get((int) (address >>> 32) - firstPage);
  }

  /** Adds a row to a key of the state. */
  void write(long row, RowChunks.Rows to) {
    long address = addresses[at(row)];
    to.add(page(address), (int) address, sizes[at(row)]);
  }

  UnsafeRow view() {
    return new UnsafeRow(fields);
  }

  /** Drops the rows that have ended. */
  void trim() {
    int last = pages.size() - 1;
    for (; kept < first; kept++) {
      int page = (int) (addresses[at(kept)] >>> 32) - firstPage;
      if (--rowsOfPage[page] == 0 && page < last) {
        pages.set(page, null);
      }
    }
    if (first == end) {
      drop(pages.size());
      filled = PAGE;
      return;
    }
    int gone = 0;
    while (gone < last && rowsOfPage[gone] == 0) {
      gone++;
    }
    drop(gone);
  }

  private void drop(int count) {
    System.arraycopy(rowsOfPage, count, rowsOfPage, 0, pages.size() - count);
    Arrays.fill(rowsOfPage, pages.size() - count, pages.size(), 0);
    pages.subList(0, count).clear();
    firstPage += count;
  }
}
