package io.rowtime.operator.rank;

import java.util.Arrays;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/** Slots by the time at which their partition is complete, which many of them share. */
final class SlotTimers {
  private static final class Slots {
    int[] slots = new int[4];
    int count;
  }

  private final TreeMap<Long, Slots> byTime = new TreeMap<>();

  void add(int slot, long time) {
    Slots same = byTime.computeIfAbsent(time, missing -> new Slots());
    if (same.count == same.slots.length) {
      same.slots = Arrays.copyOf(same.slots, same.count * 2);
    }
    same.slots[same.count++] = slot;
  }

  /** Removes the slots whose time is {@code clock} or before. */
  void release(long clock, IntConsumer each) {
    while (!byTime.isEmpty() && byTime.firstKey() <= clock) {
      Slots due = byTime.pollFirstEntry().getValue();
      for (int i = 0; i < due.count; i++) {
        each.accept(due.slots[i]);
      }
    }
  }

  /** Returns the earliest time, or {@code none}. */
  long first(long none) {
    return byTime.isEmpty() ? none : byTime.firstKey();
  }
}
