package io.rowtime.state;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.ChunkCodec;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The rows that frames may still read, in order of time, in chunks with ascending numbers.
 *
 * <p>A batch appends its rows and, at its end, writes those that not all cursors have passed; it reads the chunks that
 * cursors reach, and removes those that all have passed. Its cost depends on the rows that arrive and leave, and not on
 * the size of the log. Only the chunks at the cursors are in memory.
 */
public final class RowLog {
  /** The maximum number of rows of a chunk, which a cursor keeps in memory. */
  public static final int CHUNK_ROWS = 1 << 13;

  private static final int OPEN = 16;

  private final ValueType[] types;
  private final KeySlots keys;
  private final ToIntFunction<byte[]> slotOf;
  private final Map<Long, Chunk> open = new HashMap<>();
  private Blocks blocks;
  private long first;
  private long end;
  /** The rows that this batch has appended: the last chunk, of any size. */
  private Chunk batch;

  public RowLog(ValueType[] types, KeySlots keys, ToIntFunction<byte[]> slotOf) {
    this.types = types;
    this.keys = keys;
    this.slotOf = slotOf;
  }

  public void attach(Blocks to) {
    blocks = to;
  }

  /** Returns the number after the last chunk's. */
  public long end() {
    return end;
  }

  public Chunk chunk(long id) {
    if (open.size() > OPEN) {
      // Cursors hold references to their chunks.
      open.keySet().removeIf(other -> batch == null || other != end - 1);
    }
    return open.computeIfAbsent(id, missing -> ChunkCodec.decode(blocks.get(missing), types, slotOf));
  }

  /** Must be called at most once per batch. */
  public void append(Chunk chunk) {
    batch = chunk;
    open.put(end++, chunk);
  }

  /** Writes the log as needed by the cursors, and moves them to the new positions of their rows. */
  public void finish(List<Cursor> cursors) {
    if (batch != null) {
      split(cursors);
      batch = null;
    }
    cursors.forEach(cursor -> cursor.ready(this));
    long needed = cursors.stream().mapToLong(cursor -> cursor.id).min().orElse(end);
    for (; first < needed; first++) {
      blocks.remove(first);
    }
    open.keySet().removeIf(id -> cursors.stream().noneMatch(cursor -> cursor.id == id));
  }

  /** Splits the rows that the batch has appended into chunks, starting with the first row that is still needed. */
  private void split(List<Cursor> cursors) {
    long id = end - 1;
    int from = batch.rows;
    for (Cursor cursor : cursors) {
      if (cursor.id < id) {
        from = 0;
      } else if (cursor.id == id) {
        from = Math.min(from, cursor.row);
      }
    }
    open.remove(id);
    int chunks = (batch.rows - from + CHUNK_ROWS - 1) / CHUNK_ROWS;
    for (int i = 0; i < chunks; i++) {
      int start = from + i * CHUNK_ROWS;
      blocks.put(id + i, ChunkCodec.encode(batch, start, Math.min(batch.rows, start + CHUNK_ROWS), keys));
    }
    end = id + chunks;
    for (Cursor cursor : cursors) {
      if (cursor.id < id) {
        continue;
      }
      int row = cursor.id == id ? cursor.row : batch.rows;
      int number = (row - from) / CHUNK_ROWS;
      int start = from + number * CHUNK_ROWS;
      cursor.id = row == batch.rows ? end : id + number;
      cursor.row = row == batch.rows ? 0 : row - start;
      cursor.chunk = row == batch.rows ? null
          : open.computeIfAbsent(cursor.id, missing -> batch.slice(start, Math.min(batch.rows, start + CHUNK_ROWS)));
    }
  }

  /** Starts with the chunk number at which another log has ended. */
  public void startAt(long id, List<Cursor> cursors) {
    first = id;
    end = id;
    cursors.forEach(cursor -> cursor.id = id);
  }

  /** Removes all rows. */
  public void clear() {
    for (; first < end; first++) {
      blocks.remove(first);
    }
    open.clear();
  }

  public void save(Output to) {
    to.number(first);
    to.number(end);
  }

  public void load(Input from) {
    first = from.number();
    end = from.number();
  }

  public boolean isEmpty() {
    return first == end;
  }
}
