package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.Arrays;

/** SUM of floating-point numbers: the number nearest to the exact sum. */
final class NumberSum implements Aggregate {
  private final int column;
  private long[] counts = new long[0];
  private ExactNumbers[] sums = new ExactNumbers[0];

  NumberSum(int column) {
    this.column = column;
  }

  @Override public void grow(int slots) {
    if (slots > counts.length) {
      counts = Arrays.copyOf(counts, slots * 2);
      sums = Arrays.copyOf(sums, slots * 2);
    }
  }

  @Override public void add(int slot, Chunk from, int row) {
    Values values = from.columns[column];
    if (!values.isNull(row)) {
      if (counts[slot]++ == 0) {
        sums[slot] = new ExactNumbers();
      }
      sums[slot].add(NumericValues.of(values, row));
    }
  }

  @Override public void remove(int slot, Chunk from, int row) {
    Values values = from.columns[column];
    if (!values.isNull(row)) {
      sums[slot].remove(NumericValues.of(values, row));
      if (--counts[slot] == 0) {
        sums[slot] = null;
      }
    }
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    if (counts[slot] == 0) {
      to.setNull(at);
    } else {
      to.setLong(at, ValueType.toOrderedLong(sums[slot].nearest()));
    }
  }

  @Override public void clear(int slot) {
    counts[slot] = 0;
    sums[slot] = null;
  }

  @Override public void save(int slot, Output to) {
    to.number(counts[slot]);
    if (counts[slot] > 0) {
      sums[slot].save(to);
    }
  }

  @Override public void load(int slot, Input from) {
    counts[slot] = from.number();
    sums[slot] = counts[slot] > 0 ? ExactNumbers.load(from) : null;
  }
}
