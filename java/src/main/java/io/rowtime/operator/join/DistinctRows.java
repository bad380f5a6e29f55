package io.rowtime.operator.join;

import io.rowtime.state.values.Keys;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * The rows of an input that have come at times at which an equal one can still come: each is taken once. They are those that wait
 * and those that have not ended, so state has no more of them.
 */
final class DistinctRows {
  private static final class Slots {
    private int[] slots = new int[4];
    private int count;

    void add(int slot) {
      if (count == slots.length) {
        slots = Arrays.copyOf(slots, count * 2);
      }
      slots[count++] = slot;
    }
  }

  private final Keys rows = new Keys();
  private final TreeMap<Long, Slots> byTime = new TreeMap<>();

  /** Takes the bytes of a row of this time; gives whether it is the first such row. */
  boolean add(long time, Object base, long offset, int size) {
    int slot = rows.slot(base, offset, size);
    if (!rows.created()) {
      return false;
    }
    byTime.computeIfAbsent(time, none -> new Slots()).add(slot);
    return true;
  }

  /** No more rows come with times before {@code bound}. */
  void forget(long bound) {
    while (!byTime.isEmpty() && byTime.firstKey() < bound) {
      Slots gone = byTime.pollFirstEntry().getValue();
      for (int i = 0; i < gone.count; i++) {
        rows.free(gone.slots[i]);
      }
    }
  }
}
