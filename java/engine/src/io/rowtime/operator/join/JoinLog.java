package io.rowtime.operator.join;

import io.rowtime.state.Blocks;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeyTable;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Output;
import java.util.TreeMap;
import org.apache.spark.unsafe.Platform;

/**
 * The rows of one input of a join in state.
 *
 * <p>A batch writes the rows that have not ended by its end, in chunks that are never rewritten, and removes the chunks
 * whose rows have all ended. For joins that need to know which rows have had a match, that is stored beside the chunks.
 */
final class JoinLog {
  private static final int CHUNK_ROWS = 1 << 16;
  private static final int CHUNK_BYTES = 1 << 22;

  /** The rows [from, to). */
  private static final class Chunk {
    final long id;
    final long from;
    final long to;
    /** Whether rows of the chunk have been matched since it was written. */
    boolean changed;

    Chunk(long id, long from, long to) {
      this.id = id;
      this.from = from;
      this.to = to;
    }
  }

  private final JoinRows rows;
  private final KeySlots keys;
  private final boolean keepsMatches;
  private Blocks blocks;
  private Blocks matches;

  /** The chunks by their first rows. */
  private final TreeMap<Long, Chunk> chunks = new TreeMap<>();
  private long firstChunk;
  private long nextChunk;
  /** Rows before this one are in chunks, or have ended. */
  private long written;

  /** @param keepsMatches whether to store which rows have had a match */
  JoinLog(JoinRows rows, KeySlots keys, boolean keepsMatches) {
    this.rows = rows;
    this.keys = keys;
    this.keepsMatches = keepsMatches;
  }

  void attach(Blocks toBlocks, Blocks toMatches) {
    blocks = toBlocks;
    matches = toMatches;
  }

  /** Records the first match of a row. */
  void recordMatch(long row) {
    if (keepsMatches && row < written) {
      chunks.floorEntry(row).getValue().changed = true;
    }
  }

  /** Writes the changes of the rows to the state. */
  void finish() {
    while (!chunks.isEmpty() && chunks.firstEntry().getValue().to <= rows.first()) {
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
    if (chunks.isEmpty()) {
      firstChunk = nextChunk;
    }
    written = Math.max(written, rows.first());
    while (written < rows.end()) {
      long to = written;
      for (long bytes = 0; to < rows.end() && to - written < CHUNK_ROWS && bytes < CHUNK_BYTES; to++) {
        bytes += rows.size(to);
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

  private byte[] encode(Chunk chunk) {
    Output out = new Output();
    out.number(chunk.to - chunk.from);
    KeyTable table = new KeyTable(keys);
    for (long row = chunk.from; row < chunk.to; row++) {
      if (rows.slot(row) != JoinRows.NO_KEY) {
        table.add(rows.slot(row));
      }
    }
    table.write(out);
    long time = 0;
    for (long row = chunk.from; row < chunk.to; row++) {
      int slot = rows.slot(row);
      out.number(slot == JoinRows.NO_KEY ? 0 : table.number(slot) + 1);
      out.number(rows.time(row) - time);
      time = rows.time(row);
      rows.write(row, out);
    }
    table.clear();
    return out.toBytes();
  }

  private void writeMatches(Chunk chunk) {
    byte[] bits = new byte[(int) (chunk.to - chunk.from + 7) / 8];
    // Rows before the first one that is kept have ended.
    for (long row = Math.max(chunk.from, rows.firstKept()); row < chunk.to; row++) {
      if (rows.isMatched(row)) {
        int bit = (int) (row - chunk.from);
        bits[bit >> 3] |= (byte) (1 << (bit & 7));
      }
    }
    matches.put(chunk.id, bits);
    chunk.changed = false;
  }

  void save(Output to) {
    to.number(firstChunk);
    to.number(nextChunk);
    to.number(chunks.isEmpty() ? 0 : rows.first() - chunks.firstKey());
    to.number(rows.nextToEnter() - rows.first());
  }

  /**
   * Reads the rows into memory, as they were when {@link #save} wrote them; counts the rows that have a key in {@code
   * counter}.
   */
  void load(Input saved, SlotCounter counter) {
    firstChunk = saved.number();
    nextChunk = saved.number();
    long ended = saved.number();
    long entered = saved.number();
    for (long id = firstChunk; id < nextChunk; id++) {
      Chunk chunk = decode(id, counter);
      chunks.put(chunk.from, chunk);
    }
    written = rows.end();
    for (long row = 0; row < ended + entered; row++) {
      rows.append();
    }
    for (long row = 0; row < ended; row++) {
      counter.decrement(rows.slot(rows.endFirst()));
    }
    rows.trim();
  }

  private Chunk decode(long id, SlotCounter counter) {
    Input in = new Input(blocks.get(id));
    int count = in.count();
    int[] slots = KeyTable.read(in, keys::slot);
    byte[] bits = keepsMatches ? matches.get(id) : null;
    long from = rows.end();
    long time = 0;
    for (int i = 0; i < count; i++) {
      int number = in.count();
      time += in.number();
      byte[] row = in.bytes();
      int slot = number == 0 ? JoinRows.NO_KEY : slots[number - 1];
      rows.append(time, slot, rows.store(row, Platform.BYTE_ARRAY_OFFSET, row.length), row.length);
      counter.increment(slot);
      if (bits != null && (bits[i >> 3] >> (i & 7) & 1) != 0) {
        rows.match(rows.end() - 1);
      }
    }
    return new Chunk(id, from, rows.end());
  }
}
