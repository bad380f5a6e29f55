package io.rowtime.operator.join;

import io.rowtime.state.values.KeySlots;
import java.util.Arrays;

/**
 * Counts the rows of both inputs for each key, and frees the slot of a key that has none left. Rows without a key are
 * not counted.
 */
final class SlotCounter {
  private final KeySlots keys;
  private int[] counts = new int[64];

  SlotCounter(KeySlots keys) {
    this.keys = keys;
  }

  void increment(int slot) {
    if (slot == JoinRows.NO_KEY) {
      return;
    }
    if (slot >= counts.length) {
      counts = Arrays.copyOf(counts, Math.max(slot + 1, counts.length * 2));
    }
    counts[slot]++;
  }

  void decrement(int slot) {
    if (slot != JoinRows.NO_KEY && --counts[slot] == 0) {
      keys.free(slot);
    }
  }
}
