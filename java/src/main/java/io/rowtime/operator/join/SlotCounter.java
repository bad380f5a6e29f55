package io.rowtime.operator.join;

import io.rowtime.state.values.Keys;
import java.util.Arrays;

/** How many rows of both inputs each key has, so that the slot of a key without any is free again. */
final class SlotCounter {
  private final Keys keys;
  private int[] counts = new int[64];

  SlotCounter(Keys keys) {
    this.keys = keys;
  }

  void came(int slot) {
    if (slot >= counts.length) {
      counts = Arrays.copyOf(counts, Math.max(slot + 1, counts.length * 2));
    }
    counts[slot]++;
  }

  void gone(int slot) {
    if (--counts[slot] == 0) {
      keys.free(slot);
    }
  }
}
