package io.rowtime.state;

import java.util.Arrays;

/** The slots that a batch has changed, each once. */
public final class ChangedSlots {
  private boolean[] is = new boolean[64];
  private int[] slots = new int[64];
  private int count;

  public void add(int slot) {
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

  /** Keeps the slot in {@link #count}, but {@link #contains} returns false for it from now on. */
  public void remove(int slot) {
    if (slot < is.length) {
      is[slot] = false;
    }
  }

  public boolean contains(int slot) {
    return slot < is.length && is[slot];
  }

  public int count() {
    return count;
  }

  public int slot(int i) {
    return slots[i];
  }

  public void clear() {
    for (int i = 0; i < count; i++) {
      is[slots[i]] = false;
    }
    count = 0;
  }
}
