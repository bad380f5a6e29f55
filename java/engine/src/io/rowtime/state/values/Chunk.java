package io.rowtime.state.values;

import java.util.Arrays;

/**
 * Rows in order of time, with the columns that windows read: the time, the partition value (its slot in {@link KeySlots}),
 * and the arguments of calls.
 */
public final class Chunk {
  public int rows;
  public long[] times;
  public int[] slots;
  public final Values[] columns;

  public Chunk(ValueType[] types, int capacity) {
    times = new long[capacity];
    slots = new int[capacity];
    columns = new Values[types.length];
    for (int i = 0; i < types.length; i++) {
      columns[i] = new Values(types[i], capacity);
    }
  }

  private Chunk(Values[] columns) {
    this.columns = columns;
  }

  /** Adds a row; returns its number, at which its columns are to be set. */
  public int add(long time, int slot) {
    if (rows == times.length) {
      int capacity = Math.max(8, rows * 2);
      times = Arrays.copyOf(times, capacity);
      slots = Arrays.copyOf(slots, capacity);
    }
    times[rows] = time;
    slots[rows] = slot;
    return rows++;
  }

  public Chunk slice(int from, int to) {
    Chunk part = new Chunk(Arrays.stream(columns).map(column -> column.slice(from, to)).toArray(Values[]::new));
    part.rows = to - from;
    part.times = Arrays.copyOfRange(times, from, to);
    part.slots = Arrays.copyOfRange(slots, from, to);
    return part;
  }
}
