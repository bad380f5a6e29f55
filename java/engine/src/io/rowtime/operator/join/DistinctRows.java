package io.rowtime.operator.join;

import io.rowtime.state.values.KeySlots;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * The rows of an input at times at which a duplicate can still arrive, for dropping duplicates. They are the rows that
 * wait or have not ended, so state does not become larger.
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

  private final KeySlots rows = new KeySlots();
  private final TreeMap<Long, Slots> byTime = new TreeMap<>();

  /** Adds the bytes of a row of this time; returns whether it is the first such row. */
  boolean add(long time, Object base, long offset, int size) {
    int slot = rows.slot(base, offset, size);
    if (!rows.created()) {
      return false;
    }
    byTime.computeIfAbsent(time, none -> new Slots()).add(slot);
    return true;
  }

  /** Forgets times before {@code bound}, at which no more rows arrive. */
  void forget(long bound) {
    while (!byTime.isEmpty() && byTime.firstKey() < bound) {
      Slots gone = byTime.pollFirstEntry().getValue();
      for (int i = 0; i < gone.count; i++) {
        rows.free(gone.slots[i]);
      }
    }
  }
}
