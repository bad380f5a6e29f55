package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.Arrays;

/**
 * SUM of integers, and of decimals that fit into a long, exact in 128 bits: a sum may be temporarily out of the range
 * of its type.
 */
final class WholeSum implements Aggregate {
  private final int column;
  private final ExactSum exact;
  private long[] counts = new long[0];
  private long[] low = new long[0];
  private long[] high = new long[0];

  WholeSum(int column, ValueType from, ValueType to) {
    this.column = column;
    this.exact = new ExactSum(from, to);
  }

  @Override public void grow(int slots) {
    if (slots > counts.length) {
      counts = Arrays.copyOf(counts, slots * 2);
      low = Arrays.copyOf(low, slots * 2);
      high = Arrays.copyOf(high, slots * 2);
    }
  }

  @Override public void add(int slot, Chunk from, int row) {
    Values values = from.columns[column];
    if (values.isNull(row)) {
      return;
    }
    long value = values.getLong(row);
    long sum = low[slot] + value;
    high[slot] += (value >> 63) + (Long.compareUnsigned(sum, value) < 0 ? 1 : 0);
    low[slot] = sum;
    counts[slot]++;
  }

  @Override public void remove(int slot, Chunk from, int row) {
    Values values = from.columns[column];
    if (values.isNull(row)) {
      return;
    }
    long value = values.getLong(row);
    long before = low[slot];
    low[slot] = before - value;
    high[slot] -= (value >> 63) + (Long.compareUnsigned(before, value) < 0 ? 1 : 0);
    counts[slot]--;
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    if (counts[slot] == 0) {
      to.setNull(at);
    } else {
      exact.write(high[slot], low[slot], to, at);
    }
  }

  @Override public void clear(int slot) {
    counts[slot] = 0;
    low[slot] = 0;
    high[slot] = 0;
  }

  @Override public void save(int slot, Output to) {
    to.number(counts[slot]);
    to.number(low[slot]);
    to.number(high[slot]);
  }

  @Override public void load(int slot, Input from) {
    counts[slot] = from.number();
    low[slot] = from.number();
    high[slot] = from.number();
  }
}
