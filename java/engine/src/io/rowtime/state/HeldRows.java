package io.rowtime.state;

import io.rowtime.state.values.Layout;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The rows that a task holds, in sorted blocks, with a small directory.
 *
 * <p>A batch adds blocks and does not rewrite those of earlier batches; a release reads only the blocks with rows that
 * are due, and advances their start. Many small blocks, which result from batches of single rows, are merged from time
 * to time, so that the directory stays short. The cost per row is therefore independent of the number of rows held.
 */
public final class HeldRows {
  private static final long LAYOUT = 2;
  private static final int HEADER = 24;
  private static final int ENTRY = 24;
  private static final int BLOCK_BYTES = 256 << 10;
  private static final int SMALL_BLOCKS = 32;

  /** A block: its rows from {@code start} on are held; the first of them is due at {@code next}. */
  private static final class Entry {
    long id;
    long next;
    int start;
    int length;
  }

  private final Blocks blocks;
  private final List<Entry> entries = new ArrayList<>();
  private long nextId;
  private long nextArrival;

  /** @param directory the result of {@link #directory}, or null if no rows are held */
  public HeldRows(Blocks blocks, byte[] directory) {
    this.blocks = blocks;
    if (directory == null) {
      return;
    }
    ByteBuffer from = ByteBuffer.wrap(directory);
    Layout.check(from.getLong(), LAYOUT);
    nextId = from.getLong();
    nextArrival = from.getLong();
    while (from.hasRemaining()) {
      Entry entry = new Entry();
      entry.id = from.getLong();
      entry.next = from.getLong();
      entry.start = from.getInt();
      entry.length = from.getInt();
      entries.add(entry);
    }
  }

  /** Returns the directory as bytes, or null if no rows are held. */
  public byte[] directory() {
    if (entries.isEmpty()) {
      return null;
    }
    ByteBuffer to = ByteBuffer.allocate(HEADER + entries.size() * ENTRY);
    to.putLong(LAYOUT).putLong(nextId).putLong(nextArrival);
    for (Entry entry : entries) {
      to.putLong(entry.id).putLong(entry.next).putInt(entry.start).putInt(entry.length);
    }
    return to.array();
  }

  public long nextArrival() {
    return nextArrival;
  }

  /** Returns when the earliest row is due, in microseconds, or {@link TaskOperator#NEVER}. */
  public long due() {
    return entries.stream().mapToLong(entry -> entry.next).min().orElse(TaskOperator.NEVER);
  }

  /** Removes all rows due at {@code clock} (microseconds); returns them as runs to be merged. */
  public List<SortedRun> release(long clock) {
    List<SortedRun> released = new ArrayList<>();
    for (Iterator<Entry> each = entries.iterator(); each.hasNext();) {
      Entry entry = each.next();
      if (entry.next > clock) {
        continue;
      }
      SortedRun run = open(entry);
      released.add(run.cut(clock));
      if (run.isEmpty()) {
        blocks.remove(entry.id);
        each.remove();
      } else {
        entry.start = run.position();
        entry.next = run.release();
      }
    }
    return released;
  }

  /** Returns all rows as runs, without removing any. */
  public List<SortedRun> all() {
    return entries.stream().map(this::open).toList();
  }

  /** Adds the rows of a run; {@code arrivals} is the number of rows that arrived, including those not held. */
  public void add(SortedRun run, int arrivals) {
    nextArrival += arrivals;
    while (!run.isEmpty()) {
      int from = run.position();
      long next = run.release();
      do {
        run.skip();
      } while (!run.isEmpty() && run.position() - from < BLOCK_BYTES);
      byte[] block = new byte[run.position() - from];
      System.arraycopy(run.bytes, from, block, 0, block.length);
      put(next, block);
    }
  }

  /**
   * Replaces each row, and keeps its times.
   *
   * @param fields the number of fields of the rows until now
   */
  public void replace(int fields, UnaryOperator<UnsafeRow> replacement) {
    for (Entry entry : entries) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(entry.length);
      for (SortedRun run = open(entry); !run.isEmpty(); run.skip()) {
        byte[] row = replacement.apply(run.row(fields)).getBytes();
        ByteBuffer to = ByteBuffer.allocate(SortedRun.HEADER + row.length);
        SortedRun.write(to, run.release(), run.arrival(), row, 0, row.length);
        bytes.writeBytes(to.array());
      }
      blocks.put(entry.id, bytes.toByteArray());
      entry.start = 0;
      entry.length = bytes.size();
    }
  }

  /** Merges the small blocks if there are many. */
  public void compact() {
    List<Entry> small = new ArrayList<>();
    int bytes = 0;
    for (Entry entry : entries) {
      if (entry.length - entry.start < BLOCK_BYTES / 2) {
        small.add(entry);
        bytes += entry.length - entry.start;
      }
    }
    if (small.size() <= SMALL_BLOCKS) {
      return;
    }
    PriorityQueue<SortedRun> queue =
        new PriorityQueue<>(Comparator.comparingLong(SortedRun::release).thenComparingLong(SortedRun::arrival));
    for (Entry entry : small) {
      queue.add(open(entry));
      blocks.remove(entry.id);
    }
    entries.removeAll(small);
    ByteBuffer to = ByteBuffer.allocate(bytes);
    for (SortedRun first = queue.poll(); first != null; first = queue.poll()) {
      SortedRun.write(to, first.release(), first.arrival(), first.bytes, first.payload(), first.size());
      first.skip();
      if (!first.isEmpty()) {
        queue.add(first);
      }
    }
    add(new SortedRun(to.array(), 0, bytes), 0);
  }

  private SortedRun open(Entry entry) {
    return new SortedRun(blocks.get(entry.id), entry.start, entry.length);
  }

  private void put(long next, byte[] block) {
    Entry entry = new Entry();
    entry.id = nextId++;
    entry.next = next;
    entry.length = block.length;
    entries.add(entry);
    blocks.put(entry.id, block);
  }
}
