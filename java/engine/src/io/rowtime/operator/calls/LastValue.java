package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.Arrays;

/** LAST_VALUE, with or without NULLs: the value that entered last, while the frame is not empty. */
final class LastValue implements Aggregate {
  private final int column;
  private final boolean ignoreNulls;
  private final Values last;
  private long[] counts = new long[0];

  LastValue(int column, ValueType type, boolean ignoreNulls) {
    this.column = column;
    this.ignoreNulls = ignoreNulls;
    this.last = new Values(type, 0);
  }

  @Override public void grow(int slots) {
    if (slots > counts.length) {
      counts = Arrays.copyOf(counts, slots * 2);
      last.setNull(slots * 2 - 1);
    }
  }

  @Override public void add(int slot, Chunk from, int row) {
    Values values = from.columns[column];
    if (!ignoreNulls || !values.isNull(row)) {
      last.set(slot, values, row);
      counts[slot]++;
    }
  }

  @Override public void remove(int slot, Chunk from, int row) {
    if (!ignoreNulls || !from.columns[column].isNull(row)) {
      counts[slot]--;
    }
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    if (counts[slot] == 0) {
      to.setNull(at);
    } else {
      to.set(at, last, slot);
    }
  }

  @Override public void clear(int slot) {
    counts[slot] = 0;
    last.setNull(slot);
  }

  @Override public void save(int slot, Output to) {
    to.number(counts[slot]);
    if (counts[slot] > 0) {
      last.save(slot, to);
    }
  }

  @Override public void load(int slot, Input from) {
    counts[slot] = from.number();
    if (counts[slot] > 0) {
      last.load(slot, from);
    }
  }
}
