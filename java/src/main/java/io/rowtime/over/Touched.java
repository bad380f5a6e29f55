package io.rowtime.over;

import java.util.Arrays;

/** The slots that a batch has changed, each once. */
final class Touched {
  private boolean[] is = new boolean[64];
  private int[] slots = new int[64];
  private int count;

  void add(int slot) {
    if (slot >= is.length) {
      is = Arrays.copyOf(is, slot * 2);
    }
    if (is[slot]) {
      return;
    }
    is[slot] = true;
    if (count == slots.length) {
      slots = Arrays.copyOf(slots, count * 2);
    }
    slots[count++] = slot;
  }

  /** Leaves the slot among those counted; {@link #contains} says no. */
  void remove(int slot) {
    if (slot < is.length) {
      is[slot] = false;
    }
  }

  boolean contains(int slot) {
    return slot < is.length && is[slot];
  }

  int count() {
    return count;
  }

  int slot(int i) {
    return slots[i];
  }

  void clear() {
    for (int i = 0; i < count; i++) {
      is[slots[i]] = false;
    }
    count = 0;
  }
}
