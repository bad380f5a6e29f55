package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Values;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Applies a function to the distinct values of its argument: a value enters with the first row that has it, and leaves
 * with the last.
 */
final class Distinct implements Aggregate {
  private final Aggregate of;
  private final int column;
  private Map<Object, int[]>[] counts = maps(0);

  Distinct(Aggregate of, int column) {
    this.of = of;
    this.column = column;
  }

  @SuppressWarnings("unchecked")
  private static Map<Object, int[]>[] maps(int length) {
    return (Map<Object, int[]>[]) new Map<?, ?>[length];
  }

  @Override public void grow(int slots) {
    of.grow(slots);
    if (slots > counts.length) {
      counts = Arrays.copyOf(counts, slots * 2);
    }
  }

  @Override public void add(int slot, Chunk from, int row) {
    Object key = from.columns[column].key(row);
    if (key == null) {
      return;
    }
    if (counts[slot] == null) {
      counts[slot] = new HashMap<>();
    }
    int[] count = counts[slot].computeIfAbsent(key, missing -> new int[1]);
    if (count[0]++ == 0) {
      of.add(slot, from, row);
    }
  }

  @Override public void remove(int slot, Chunk from, int row) {
    Object key = from.columns[column].key(row);
    if (key != null && --counts[slot].get(key)[0] == 0) {
      counts[slot].remove(key);
      of.remove(slot, from, row);
    }
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    of.result(slot, current, row, to, at);
  }

  @Override public void clear(int slot) {
    of.clear(slot);
    counts[slot] = null;
  }
}
