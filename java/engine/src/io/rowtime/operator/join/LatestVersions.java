package io.rowtime.operator.join;

import io.rowtime.state.Blocks;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeyTable;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Output;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * The latest version of each entity, by join key; in memory and in state.
 *
 * <p>A batch writes its new versions, in chunks that are never rewritten. A chunk is removed when all of its versions
 * have been replaced; if half of them have been, or it is one of {@link #MERGED} chunks of about the same size, its other
 * versions move to the batch's own chunks, as in a log-structured merge tree. State is therefore at most twice its live
 * size and in few blocks, a version is written again once for each tier of sizes, and the cost of a batch depends on
 * what it changes.
 */
final class LatestVersions {
  /** No row. */
  static final int NONE = -1;

  private static final int CHUNK_BYTES = 1 << 22;
  /** The binary logarithm of how many times as large the chunks of the next tier are. */
  private static final int TIER_BITS = 3;
  private static final int MERGED = 1 << TIER_BITS;
  /** Chunks of this tier are not merged. */
  private static final int LAST_TIER = tier(CHUNK_BYTES / 2);

  private static int tier(int bytes) {
    return (Integer.SIZE - Integer.numberOfLeadingZeros(bytes)) / TIER_BITS;
  }

  private static final class Chunk {
    final int[] rows;
    final int tier;
    int live;

    Chunk(int[] rows, int bytes) {
      this.rows = rows;
      this.tier = tier(bytes);
      this.live = rows.length;
    }
  }

  private final KeySlots keys;
  private final SlotCounter counter;
  private Blocks blocks;

  /** By the number of an entity: its version, and the chunk that contains it in state (0 if none yet). */
  private byte[][] versions = new byte[64][];
  private byte[][] identities = new byte[64][];
  private long[] times = new long[64];
  private int[] slots = new int[64];
  private long[] chunkOf = new long[64];
  /** The rows of one key, in a circular list. */
  private int[] next = new int[64];
  private int[] previous = new int[64];
  /** By the key's slot: its first row plus 1, or 0. */
  private int[] heads = new int[64];

  private final TreeMap<Long, Chunk> chunks = new TreeMap<>();
  private long nextChunk = 1;
  private int[] changed = new int[64];
  private int changes;

  /**
   * @param keys the keys of the join
   * @param counter counts the versions of each key
   */
  LatestVersions(KeySlots keys, SlotCounter counter) {
    this.keys = keys;
    this.counter = counter;
  }

  void attach(Blocks to) {
    blocks = to;
  }

  /** Returns the first row of a key, or {@link #NONE}. */
  int firstOf(int slot) {
    return slot == JoinRows.NO_KEY || slot >= heads.length ? NONE : heads[slot] - 1;
  }

  /** Returns the next row of the same key, or {@link #NONE}. */
  int nextOf(int row) {
    return next[row] - 1;
  }

  byte[] get(int row) {
    return versions[row];
  }

  boolean has(int row) {
    return row < versions.length && versions[row] != null;
  }

  long time(int row) {
    return times[row];
  }

  /**
   * Replaces the previous version of an entity.
   *
   * @param row the number of the entity
   * @param identity identifies the entity; null if the key does
   * @param slot the slot of its join key
   */
  void put(int row, byte[] identity, int slot, long time, byte[] version) {
    place(row, identity, slot, time, version);
    touch(row);
  }

  private void place(int row, byte[] identity, int slot, long time, byte[] version) {
    if (row >= versions.length) {
      grow(Math.max(row + 1, versions.length * 2));
    }
    counter.increment(slot);
    if (versions[row] != null) {
      unlink(row);
      counter.decrement(slots[row]);
    }
    versions[row] = version;
    identities[row] = identity;
    times[row] = time;
    slots[row] = slot;
    if (slot != JoinRows.NO_KEY) {
      link(row, slot);
    }
  }

  private void link(int row, int slot) {
    if (slot >= heads.length) {
      heads = Arrays.copyOf(heads, Math.max(slot + 1, heads.length * 2));
    }
    next[row] = heads[slot];
    previous[row] = 0;
    if (heads[slot] != 0) {
      previous[heads[slot] - 1] = row + 1;
    }
    heads[slot] = row + 1;
  }

  private void unlink(int row) {
    if (slots[row] == JoinRows.NO_KEY) {
      return;
    }
    if (previous[row] == 0) {
      heads[slots[row]] = next[row];
    } else {
      next[previous[row] - 1] = next[row];
    }
    if (next[row] != 0) {
      previous[next[row] - 1] = previous[row];
    }
  }

  private void grow(int length) {
    versions = Arrays.copyOf(versions, length);
    identities = Arrays.copyOf(identities, length);
    times = Arrays.copyOf(times, length);
    slots = Arrays.copyOf(slots, length);
    chunkOf = Arrays.copyOf(chunkOf, length);
    next = Arrays.copyOf(next, length);
    previous = Arrays.copyOf(previous, length);
  }

  /** Marks a row to be written with the batch; its version in state is outdated. */
  private void touch(int row) {
    if (chunkOf[row] < 0) {
      return;
    }
    if (chunkOf[row] > 0) {
      chunks.get(chunkOf[row]).live--;
    }
    chunkOf[row] = -1;
    if (changes == changed.length) {
      changed = Arrays.copyOf(changed, changes * 2);
    }
    changed[changes++] = row;
  }

  /** Writes changes to the state. */
  void finish() {
    int[] ofTier = new int[Integer.SIZE];
    chunks.values().forEach(chunk -> ofTier[chunk.tier]++);
    for (var each = chunks.entrySet().iterator(); each.hasNext();) {
      var entry = each.next();
      Chunk chunk = entry.getValue();
      if (chunk.live * 2 <= chunk.rows.length || chunk.tier < LAST_TIER && ofTier[chunk.tier] >= MERGED) {
        for (int row : chunk.rows) {
          if (chunkOf[row] == entry.getKey()) {
            touch(row);
          }
        }
        blocks.remove(entry.getKey());
        each.remove();
      }
    }
    for (int from = 0; from < changes;) {
      int to = from;
      for (long bytes = 0; to < changes && bytes < CHUNK_BYTES; to++) {
        bytes += versions[changed[to]].length;
      }
      long id = nextChunk++;
      int[] rows = Arrays.copyOfRange(changed, from, to);
      byte[] encoded = encode(rows);
      Chunk chunk = new Chunk(rows, encoded.length);
      blocks.put(id, encoded);
      chunks.put(id, chunk);
      for (int row : rows) {
        chunkOf[row] = id;
      }
      from = to;
    }
    changes = 0;
  }

  private byte[] encode(int[] rows) {
    Output out = new Output();
    out.number(rows.length);
    KeyTable table = new KeyTable(keys);
    for (int row : rows) {
      if (slots[row] != JoinRows.NO_KEY) {
        table.add(slots[row]);
      }
    }
    table.write(out);
    long time = 0;
    for (int row : rows) {
      out.number(slots[row] == JoinRows.NO_KEY ? 0 : table.number(slots[row]) + 1);
      out.number(times[row] - time);
      time = times[row];
      out.bytes(identities[row] == null ? new byte[0] : identities[row]);
      out.bytes(versions[row]);
    }
    table.clear();
    return out.toBytes();
  }

  void save(Output to) {
    to.number(nextChunk);
    to.number(chunks.size());
    chunks.keySet().forEach(to::number);
  }

  /** Assigns a number to the identity of a version that is read from state. */
  interface Numbering {
    /** @return the number under which the version is kept */
    int of(byte[] identity, int slot);
  }

  /** Reads the versions into memory, as they were when {@link #save} wrote them. */
  void load(Input saved, Numbering numbering) {
    nextChunk = saved.number();
    int count = saved.count();
    for (int i = 0; i < count; i++) {
      long id = saved.number();
      chunks.put(id, decode(id, numbering));
    }
  }

  private Chunk decode(long id, Numbering numbering) {
    byte[] encoded = blocks.get(id);
    Input in = new Input(encoded);
    int[] rows = new int[in.count()];
    int[] table = KeyTable.read(in, keys::slot);
    // Otherwise replacing the last version of a key would free the key's slot, which a later version of this chunk may
    // use.
    Arrays.stream(table).forEach(counter::increment);
    long time = 0;
    for (int i = 0; i < rows.length; i++) {
      int number = in.count();
      time += in.number();
      byte[] identity = in.bytes();
      int slot = number == 0 ? JoinRows.NO_KEY : table[number - 1];
      int row = numbering.of(identity, slot);
      rows[i] = row;
      byte[] version = in.bytes();
      if (has(row)) {
        // Later chunks have later versions.
        chunks.get(chunkOf[row]).live--;
      }
      place(row, identity, slot, time, version);
      chunkOf[row] = id;
    }
    Arrays.stream(table).forEach(counter::decrement);
    return new Chunk(rows, encoded.length);
  }
}
