package io.rowtime.state.values;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;

/** Sets of values of one type, without NULL, one for each slot of {@link KeySlots}; all of them in one hash table. */
public final class ValueSets {
  private final ValueType type;
  private final boolean objects;
  /** By hash: an entry plus 1, or 0. The size is a power of two, and the table at most half full. */
  private int[] table = new int[64];
  private int[] slots = new int[32];
  private long[] longs = new long[0];
  private Object[] values = new Object[0];
  /** For each entry the next one of its slot, or the next free one; plus 1. */
  private int[] next = new int[32];
  /** For each slot its latest entry, plus 1. */
  private int[] heads = new int[32];
  private int free;
  private int used;
  private int size;

  public ValueSets(ValueType type) {
    this.type = type;
    objects = type.isObject();
    if (objects) {
      values = new Object[slots.length];
    } else {
      longs = new long[slots.length];
    }
  }

  /** Returns the number of values, of all slots. */
  public int size() {
    return size;
  }

  /** Adds a value that is not NULL; returns whether it is new to the slot. */
  public boolean add(int slot, Values from, int row) {
    long number = objects ? 0 : from.getLong(row);
    Object value = objects ? from.key(row) : null;
    int at = place(slot, number, value);
    if (table[at] != 0) {
      return false;
    }
    int entry = entry();
    slots[entry] = slot;
    if (objects) {
      values[entry] = value;
    } else {
      longs[entry] = number;
    }
    if (slot >= heads.length) {
      heads = Arrays.copyOf(heads, slot * 2);
    }
    next[entry] = heads[slot];
    heads[slot] = entry + 1;
    table[at] = entry + 1;
    if (++size * 2 > table.length) {
      rehash();
    }
    return true;
  }

  /** Returns the values of a slot as a Spark array, in any order. */
  public ArrayData toArray(int slot) {
    List<Object> found = new ArrayList<>();
    for (int entry = slot < heads.length ? heads[slot] - 1 : -1; entry >= 0; entry = next[entry] - 1) {
      found.add(objects ? type.internal(Values.ofKey(values[entry])) : type.internal(longs[entry]));
    }
    return new GenericArrayData(found.toArray());
  }

  /** Removes all values of a slot. */
  public void clear(int slot) {
    if (slot >= heads.length) {
      return;
    }
    int entry = heads[slot] - 1;
    heads[slot] = 0;
    while (entry >= 0) {
      int following = next[entry] - 1;
      remove(entry);
      next[entry] = free;
      free = entry + 1;
      entry = following;
    }
  }

  private void remove(int entry) {
    int mask = table.length - 1;
    int hole = home(entry) & mask;
    while (table[hole] != entry + 1) {
      hole = hole + 1 & mask;
    }
    // Entries that follow without a gap move up, so that a search never ends too early.
    for (int at = hole + 1 & mask; table[at] != 0; at = at + 1 & mask) {
      int home = home(table[at] - 1) & mask;
      if ((at - home & mask) >= (at - hole & mask)) {
        table[hole] = table[at];
        hole = at;
      }
    }
    table[hole] = 0;
    if (objects) {
      values[entry] = null;
    }
    size--;
  }

  private int entry() {
    if (free > 0) {
      int entry = free - 1;
      free = next[entry];
      return entry;
    }
    if (used == slots.length) {
      slots = Arrays.copyOf(slots, used * 2);
      next = Arrays.copyOf(next, used * 2);
      if (objects) {
        values = Arrays.copyOf(values, used * 2);
      } else {
        longs = Arrays.copyOf(longs, used * 2);
      }
    }
    return used++;
  }

  /** Returns the index in the table at which the value is, or would be. */
  private int place(int slot, long number, Object value) {
    int mask = table.length - 1;
    int at = hash(slot, objects ? value.hashCode() : number) & mask;
    for (; table[at] != 0; at = at + 1 & mask) {
      int entry = table[at] - 1;
      if (slots[entry] == slot && (objects ? values[entry].equals(value) : longs[entry] == number)) {
        break;
      }
    }
    return at;
  }

  private int home(int entry) {
    return hash(slots[entry], objects ? values[entry].hashCode() : longs[entry]);
  }

  private static int hash(int slot, long value) {
    long mixed = (value ^ slot * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 32) * 0x94D049BB133111EBL;
    return (int) (mixed ^ mixed >>> 29);
  }

  private void rehash() {
    int[] old = table;
    table = new int[old.length * 2];
    int mask = table.length - 1;
    for (int entry : old) {
      if (entry != 0) {
        int at = home(entry - 1) & mask;
        while (table[at] != 0) {
          at = at + 1 & mask;
        }
        table[at] = entry;
      }
    }
  }
}
