package io.rowtime.over.values;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.ByteArrayMethods;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;

/**
 * Numbers partition values: each has a slot, a small number by which everything that is kept for it is found. Slots of
 * values that are gone are used again.
 */
public final class Keys {
  private static final int SEED = 7;

  /** Slot + 1, or 0, by hash; a power of two of them, at most half full. */
  private int[] table = new int[64];
  private byte[][] keys = new byte[32][];
  private int[] hashes = new int[32];
  private int[] marks = new int[32];
  private int[] free = new int[0];
  private int freed;
  private int used;
  private boolean created;

  /** How many slots there are or have been: each is less than this. */
  public int slots() {
    return used;
  }

  public int size() {
    return used - freed;
  }

  /** Whether the last {@link #slot} made the slot. */
  public boolean created() {
    return created;
  }

  /** A number for each slot, for who walks over rows; all are 0 in between. */
  int[] marks() {
    return marks;
  }

  public byte[] key(int slot) {
    return keys[slot];
  }

  public int slot(UnsafeRow key) {
    return slot(key.getBaseObject(), key.getBaseOffset(), key.getSizeInBytes());
  }

  public int slot(byte[] key) {
    return slot(key, Platform.BYTE_ARRAY_OFFSET, key.length);
  }

  /** The slot of a key, or -1. */
  public int find(byte[] key) {
    int hash = Murmur3_x86_32.hashUnsafeWords(key, Platform.BYTE_ARRAY_OFFSET, key.length, SEED);
    int mask = table.length - 1;
    for (int at = hash & mask; table[at] != 0; at = at + 1 & mask) {
      if (Arrays.equals(keys[table[at] - 1], key)) {
        return table[at] - 1;
      }
    }
    return -1;
  }

  private int slot(Object base, long offset, int size) {
    int hash = Murmur3_x86_32.hashUnsafeWords(base, offset, size, SEED);
    int mask = table.length - 1;
    int at = hash & mask;
    while (table[at] != 0) {
      int slot = table[at] - 1;
      byte[] key = keys[slot];
      if (hashes[slot] == hash && key.length == size
          && ByteArrayMethods.arrayEquals(base, offset, key, Platform.BYTE_ARRAY_OFFSET, size)) {
        created = false;
        return slot;
      }
      at = at + 1 & mask;
    }
    created = true;
    int slot = freed > 0 ? free[--freed] : used++;
    if (slot == keys.length) {
      keys = Arrays.copyOf(keys, slot * 2);
      hashes = Arrays.copyOf(hashes, slot * 2);
      marks = Arrays.copyOf(marks, slot * 2);
    }
    keys[slot] = new byte[size];
    Platform.copyMemory(base, offset, keys[slot], Platform.BYTE_ARRAY_OFFSET, size);
    hashes[slot] = hash;
    table[at] = slot + 1;
    if (size() * 2 > table.length) {
      grow();
    }
    return slot;
  }

  public void free(int slot) {
    int mask = table.length - 1;
    int hole = hashes[slot] & mask;
    while (table[hole] != slot + 1) {
      hole = hole + 1 & mask;
    }
    // What follows without a gap moves up, so that a search never ends too early.
    for (int next = hole + 1 & mask; table[next] != 0; next = next + 1 & mask) {
      int home = hashes[table[next] - 1] & mask;
      if ((next - home & mask) >= (next - hole & mask)) {
        table[hole] = table[next];
        hole = next;
      }
    }
    table[hole] = 0;
    keys[slot] = null;
    if (freed == free.length) {
      free = Arrays.copyOf(free, Math.max(16, freed * 2));
    }
    free[freed++] = slot;
  }

  private void grow() {
    int[] old = table;
    table = new int[old.length * 2];
    int mask = table.length - 1;
    for (int entry : old) {
      if (entry != 0) {
        int at = hashes[entry - 1] & mask;
        while (table[at] != 0) {
          at = at + 1 & mask;
        }
        table[at] = entry;
      }
    }
  }
}
