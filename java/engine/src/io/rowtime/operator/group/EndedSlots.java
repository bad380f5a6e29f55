package io.rowtime.operator.group;

import java.util.Arrays;

/** The slots of groups that have ended after all rows of a batch were processed, and when they ended. */
final class EndedSlots {
  int[] slots = new int[64];
  long[] ends = new long[64];
  int count;

  void add(int slot, long end) {
    if (count == slots.length) {
      slots = Arrays.copyOf(slots, count * 2);
      ends = Arrays.copyOf(ends, count * 2);
    }
    slots[count] = slot;
    ends[count++] = end;
  }
}
