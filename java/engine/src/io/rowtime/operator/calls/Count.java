package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.Values;
import java.util.Arrays;

/** COUNT(*), and COUNT(x) of the rows where x is not NULL. */
final class Count implements Aggregate {
  private final int column;
  private long[] counts = new long[0];

  /** @param column index of x, or -1 */
  Count(int column) {
    this.column = column;
  }

  @Override public void grow(int slots) {
    if (slots > counts.length) {
      counts = Arrays.copyOf(counts, slots * 2);
    }
  }

  @Override public void add(int slot, Chunk from, int row) {
    if (column < 0 || !from.columns[column].isNull(row)) {
      counts[slot]++;
    }
  }

  @Override public void remove(int slot, Chunk from, int row) {
    if (column < 0 || !from.columns[column].isNull(row)) {
      counts[slot]--;
    }
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    to.setLong(at, counts[slot]);
  }

  @Override public void clear(int slot) {
    counts[slot] = 0;
  }

  @Override public void save(int slot, Output to) {
    to.number(counts[slot]);
  }

  @Override public void load(int slot, Input from) {
    counts[slot] = from.number();
  }
}
