package io.rowtime.state.values;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.ByteArrayMethods;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;

/**
 * Assigns slots to partition values: small numbers, which serve as indexes of their data. Slots of removed values are
 * reused.
 */
public final class KeySlots {
  private static final int SEED = 7;

  /**
   * By hash: the hash, and the slot plus 1 in the lower half; or 0. The size is a power of two, and the table at most
   * half full.
   */
  private long[] table = new long[64];
  private byte[][] keys = new byte[32][];
  private int[] marks = new int[32];
  private int[] free = new int[0];
  private int freed;
  private int used;
  private boolean created;

  /** Returns an exclusive upper limit of the slots. */
  public int slots() {
    return used;
  }

  public int size() {
    return used - freed;
  }

  /** Returns whether the last call of {@link #slot} created the slot. */
  public boolean created() {
    return created;
  }

  /** Returns an array with a number for each slot, for temporary use; all are 0 between uses. */
  public int[] marks() {
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

  /** Returns the slot of a key, or -1. */
  public int find(byte[] key) {
    long entry = table[place(key, Platform.BYTE_ARRAY_OFFSET, key.length, hash(key))];
    return entry == 0 ? -1 : slotOf(entry);
  }

  private static int hash(byte[] key) {
    return Murmur3_x86_32.hashUnsafeWords(key, Platform.BYTE_ARRAY_OFFSET, key.length, SEED);
  }

  private static int slotOf(long entry) {
    return (int) entry - 1;
  }

  /** Returns the index in the table at which the key is, or would be. */
  private int place(Object base, long offset, int size, int hash) {
    int mask = table.length - 1;
    int at = hash & mask;
    for (long entry = table[at]; entry != 0; entry = table[at]) {
      if ((int) (entry >>> 32) == hash) {
        byte[] key = keys[slotOf(entry)];
        if (key.length == size
            && ByteArrayMethods.arrayEquals(base, offset, key, Platform.BYTE_ARRAY_OFFSET, size)) {
          break;
        }
      }
      at = at + 1 & mask;
    }
    return at;
  }

  /** Returns the slot of a key anywhere in memory. */
  public int slot(Object base, long offset, int size) {
    int hash = Murmur3_x86_32.hashUnsafeWords(base, offset, size, SEED);
    int at = place(base, offset, size, hash);
    if (table[at] != 0) {
      created = false;
      return slotOf(table[at]);
    }
    created = true;
    int slot = freed > 0 ? free[--freed] : used++;
    if (slot == keys.length) {
      keys = Arrays.copyOf(keys, slot * 2);
      marks = Arrays.copyOf(marks, slot * 2);
    }
    keys[slot] = new byte[size];
    Platform.copyMemory(base, offset, keys[slot], Platform.BYTE_ARRAY_OFFSET, size);
    table[at] = (long) hash << 32 | slot + 1;
    if (size() * 2 > table.length) {
      grow();
    }
    return slot;
  }

  public void free(int slot) {
    int mask = table.length - 1;
    int hole = place(keys[slot], Platform.BYTE_ARRAY_OFFSET, keys[slot].length, hash(keys[slot]));
    // Entries that follow without a gap move up, so that a search never ends too early.
    for (int next = hole + 1 & mask; table[next] != 0; next = next + 1 & mask) {
      int home = (int) (table[next] >>> 32) & mask;
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
    long[] old = table;
    table = new long[old.length * 2];
    int mask = table.length - 1;
    for (long entry : old) {
      if (entry != 0) {
        int at = (int) (entry >>> 32) & mask;
        while (table[at] != 0) {
          at = at + 1 & mask;
        }
        table[at] = entry;
      }
    }
  }
}
