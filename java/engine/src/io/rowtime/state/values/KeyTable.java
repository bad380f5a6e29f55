package io.rowtime.state.values;

import java.util.Arrays;
import java.util.function.ToIntFunction;

/** The distinct partition values of some rows, numbered in order of addition; each is written once. */
public final class KeyTable {
  private final KeySlots keys;
  /** By slot: its number plus 1, or 0. The array belongs to the keys, and is all 0 between two tables. */
  private final int[] numbers;
  private int[] slots = new int[16];
  private int count;

  /** Only one table of the same keys may be open at a time; {@link #clear} closes it. */
  public KeyTable(KeySlots keys) {
    this.keys = keys;
    this.numbers = keys.marks();
  }

  public void add(int slot) {
    if (numbers[slot] == 0) {
      if (count == slots.length) {
        slots = Arrays.copyOf(slots, count * 2);
      }
      slots[count++] = slot;
      numbers[slot] = count;
    }
  }

  /** Returns the number, from 0, of a slot that has been added. */
  public int number(int slot) {
    return numbers[slot] - 1;
  }

  public void write(Output out) {
    out.number(count);
    for (int i = 0; i < count; i++) {
      out.bytes(keys.key(slots[i]));
    }
  }

  /** @return the slots by number; {@code slotOf} finds or creates the slot of a partition value */
  public static int[] read(Input in, ToIntFunction<byte[]> slotOf) {
    int[] slots = new int[in.count()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = slotOf.applyAsInt(in.bytes());
    }
    return slots;
  }

  public void clear() {
    for (int i = 0; i < count; i++) {
      numbers[slots[i]] = 0;
    }
    count = 0;
  }
}
