package io.rowtime.operator.join;

import io.rowtime.state.Blocks;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Keys;
import io.rowtime.state.values.Output;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * The rows of one input of a join, in order of time. They have ascending numbers; each enters, so that rows of the other input
 * find it by its key, and ends.
 *
 * <p>A batch writes the rows that have not ended by then, in chunks that are never written again, and removes the chunks whose
 * rows have all ended. Which rows have found a match lies beside the chunks, for joins that ask.
 */
final class JoinRows {
  /** No row. */
  static final long NONE = -1;
  /** The slot of rows that match nothing, as a key of theirs is NULL. */
  static final int NO_KEY = -1;

  private static final int CHUNK_ROWS = 1 << 13;
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int PAGE = 1 << 20;
  private static final int SMALL_PAGE = 1 << 12;
  private static final byte MATCHED = 1;

  /** Rows [from, to) as they lie in state. */
  private static final class Chunk {
    final long id;
    final long from;
    final long to;
    /** Whether rows of it have been matched since it was written. */
    boolean changed;

    Chunk(long id, long from, long to) {
      this.id = id;
      this.from = from;
      this.to = to;
    }
  }

  private final Keys keys;
  private final int fields;
  private final boolean keepsMatches;
  private Blocks blocks;
  private Blocks matches;

  /** Rows [kept, end) are in memory, those from {@code first} on have not ended, those from {@code entered} on not entered. */
  private long kept;
  private long first;
  private long entered;
  private long end;

  /** By number, modulo the length, a power of two. */
  private long[] times = new long[64];
  private int[] slots = new int[64];
  private long[] next = new long[64];
  private long[] addresses = new long[64];
  private int[] sizes = new int[64];
  private byte[] flags = new byte[64];
  private int mask = 63;

  /** By slot: the first and the last row that has entered and not ended, + 1; or 0. */
  private long[] heads = new long[64];
  private long[] tails = new long[64];

  private final List<byte[]> pages = new ArrayList<>();
  /** The number of the first page that is still there, and how much of the last one is filled. */
  private int firstPage;
  private int filled = PAGE;

  /** By their first rows. */
  private final TreeMap<Long, Chunk> chunks = new TreeMap<>();
  private long firstChunk;
  private long nextChunk;
  /** Rows before this one are in chunks, or have ended. */
  private long written;

  /** @param keepsMatches whether it is asked which rows have found a match */
  JoinRows(Keys keys, int fields, boolean keepsMatches) {
    this.keys = keys;
    this.fields = fields;
    this.keepsMatches = keepsMatches;
  }

  void attach(Blocks toBlocks, Blocks toMatches) {
    blocks = toBlocks;
    matches = toMatches;
  }

  long first() {
    return first;
  }

  long entered() {
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

  /** Puts a row's columns into memory; gives its address for {@link #append}. */
  long store(Object base, long offset, int size) {
    int last = pages.size() - 1;
    if (filled + size > PAGE) {
      // The first page begins small: most batches are.
      pages.add(new byte[Math.max(size, pages.isEmpty() ? SMALL_PAGE : PAGE)]);
      last++;
      filled = 0;
    } else if (filled + size > pages.get(last).length) {
      pages.set(last, Arrays.copyOf(pages.get(last), Math.min(PAGE, Math.max(filled + size, pages.get(last).length * 4))));
    }
    Platform.copyMemory(base, offset, pages.get(last), Platform.BYTE_ARRAY_OFFSET + (long) filled, size);
    long address = (long) (firstPage + last) << 32 | filled;
    filled += size;
    return address;
  }

  /** Adds a row behind all others; its time is not before theirs. */
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

  /** The next row enters; gives its number. */
  long enter() {
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

  /** The first row ends, which has entered; gives its number. It can be read until {@link #trim}. */
  long end(long row) {
    int slot = slot(row);
    if (slot != NO_KEY) {
      heads[slot] = next[at(row)];
      if (heads[slot] == 0) {
        tails[slot] = 0;
      }
    }
    first++;
    return row;
  }

  /** The first row of a key that has entered and not ended, or {@link #NONE}. */
  long firstOf(int slot) {
    return slot == NO_KEY || slot >= heads.length ? NONE : heads[slot] - 1;
  }

  /** The next row of the same key, or {@link #NONE}. */
  long nextOf(long row) {
    return next[at(row)] - 1;
  }

  void match(long row) {
    int at = at(row);
    if (keepsMatches && flags[at] == 0) {
      flags[at] = MATCHED;
      if (row < written) {
        chunkOf(row).changed = true;
      }
    }
  }

  private Chunk chunkOf(long row) {
    return chunks.floorEntry(row).getValue();
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

  UnsafeRow view() {
    return new UnsafeRow(fields);
  }

  /** Brings state up to date with the rows. */
  void finish() {
    while (!chunks.isEmpty() && chunks.firstEntry().getValue().to <= first) {
      Chunk gone = chunks.pollFirstEntry().getValue();
      blocks.remove(gone.id);
      if (keepsMatches) {
        matches.remove(gone.id);
      }
      firstChunk = gone.id + 1;
    }
    for (Chunk chunk : chunks.values()) {
      if (chunk.changed) {
        writeMatches(chunk);
      }
    }
    written = Math.max(written, first);
    if (chunks.isEmpty()) {
      firstChunk = nextChunk;
    }
    while (written < end) {
      long to = written;
      for (long bytes = 0; to < end && to - written < CHUNK_ROWS && bytes < CHUNK_BYTES; to++) {
        bytes += sizes[at(to)];
      }
      Chunk chunk = new Chunk(nextChunk++, written, to);
      blocks.put(chunk.id, encode(chunk));
      if (keepsMatches) {
        writeMatches(chunk);
      }
      chunks.put(chunk.from, chunk);
      written = to;
    }
  }

  /** Forgets the rows that have ended. */
  void trim() {
    kept = first;
    int gone = first < end ? (int) (addresses[at(first)] >>> 32) - firstPage : pages.size();
    pages.subList(0, gone).clear();
    firstPage += gone;
    if (first == end) {
      filled = PAGE;
    }
  }

  private byte[] encode(Chunk chunk) {
    Output out = new Output();
    out.number(chunk.to - chunk.from);
    int[] numbers = keys.marks();
    int[] distinct = new int[(int) (chunk.to - chunk.from)];
    int count = 0;
    for (long row = chunk.from; row < chunk.to; row++) {
      int slot = slot(row);
      if (slot != NO_KEY && numbers[slot] == 0) {
        distinct[count++] = slot;
        numbers[slot] = count;
      }
    }
    out.number(count);
    for (int i = 0; i < count; i++) {
      out.bytes(keys.key(distinct[i]));
    }
    long time = 0;
    for (long row = chunk.from; row < chunk.to; row++) {
      int slot = slot(row);
      out.number(slot == NO_KEY ? 0 : numbers[slot]);
      out.number(time(row) - time);
      time = time(row);
      long address = addresses[at(row)];
      out.bytes(page(address), (int) address, sizes[at(row)]);
    }
    for (int i = 0; i < count; i++) {
      numbers[distinct[i]] = 0;
    }
    return out.toBytes();
  }

  private void writeMatches(Chunk chunk) {
    byte[] bits = new byte[(int) (chunk.to - chunk.from + 7) / 8];
    for (long row = chunk.from; row < chunk.to; row++) {
      int bit = (int) (row - chunk.from);
      // Those before the first have ended and may be gone.
      if (row >= kept && isMatched(row)) {
        bits[bit >> 3] |= (byte) (1 << (bit & 7));
      }
    }
    matches.put(chunk.id, bits);
    chunk.changed = false;
  }

  void save(Output to) {
    to.number(firstChunk);
    to.number(nextChunk);
    to.number(chunks.isEmpty() ? 0 : first - chunks.firstKey());
    to.number(entered - first);
  }

  /** @param count how often a key comes, to be told of each row */
  void load(Input saved, SlotCounter count) {
    firstChunk = saved.number();
    nextChunk = saved.number();
    long ended = saved.number();
    long entering = saved.number();
    for (long id = firstChunk; id < nextChunk; id++) {
      Chunk chunk = decode(id, count);
      chunks.put(chunk.from, chunk);
    }
    written = end;
    for (long row = 0; row < ended + entering; row++) {
      enter();
    }
    for (long row = 0; row < ended; row++) {
      int slot = slot(end(row));
      if (slot != NO_KEY) {
        count.gone(slot);
      }
    }
    trim();
  }

  private Chunk decode(long id, SlotCounter count) {
    Input in = new Input(blocks.get(id));
    int rows = in.count();
    int[] chunkSlots = new int[in.count()];
    for (int i = 0; i < chunkSlots.length; i++) {
      chunkSlots[i] = keys.slot(in.bytes());
    }
    byte[] bits = keepsMatches ? matches.get(id) : null;
    long from = end;
    long time = 0;
    for (int i = 0; i < rows; i++) {
      int number = in.count();
      time += in.number();
      byte[] row = in.bytes();
      int slot = number == 0 ? NO_KEY : chunkSlots[number - 1];
      append(time, slot, store(row, Platform.BYTE_ARRAY_OFFSET, row.length), row.length);
      if (slot != NO_KEY) {
        count.came(slot);
      }
      if (bits != null && (bits[i >> 3] >> (i & 7) & 1) != 0) {
        flags[at(end - 1)] = MATCHED;
      }
    }
    return new Chunk(id, from, end);
  }
}
