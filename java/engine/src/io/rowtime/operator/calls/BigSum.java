package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.math.BigInteger;
import java.util.Arrays;

/** SUM of decimals that do not fit into a long. */
final class BigSum implements Aggregate {
  private final int column;
  private final ExactSum exact;
  private long[] counts = new long[0];
  private BigInteger[] sums = new BigInteger[0];

  BigSum(int column, ValueType from, ValueType to) {
    this.column = column;
    this.exact = new ExactSum(from, to);
  }

  @Override public void grow(int slots) {
    if (slots > counts.length) {
      counts = Arrays.copyOf(counts, slots * 2);
      sums = Arrays.copyOf(sums, slots * 2);
    }
  }

  @Override public void add(int slot, Chunk from, int row) {
    BigInteger value = (BigInteger) from.columns[column].getObject(row);
    if (value != null) {
      sums[slot] = counts[slot]++ == 0 ? value : sums[slot].add(value);
    }
  }

  @Override public void remove(int slot, Chunk from, int row) {
    BigInteger value = (BigInteger) from.columns[column].getObject(row);
    if (value != null) {
      sums[slot] = --counts[slot] == 0 ? null : sums[slot].subtract(value);
    }
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    if (counts[slot] == 0) {
      to.setNull(at);
    } else {
      exact.write(sums[slot], to, at);
    }
  }

  @Override public void clear(int slot) {
    counts[slot] = 0;
    sums[slot] = null;
  }

  @Override public void save(int slot, Output to) {
    to.number(counts[slot]);
    to.bytes(counts[slot] == 0 ? new byte[0] : sums[slot].toByteArray());
  }

  @Override public void load(int slot, Input from) {
    counts[slot] = from.number();
    byte[] sum = from.bytes();
    sums[slot] = counts[slot] == 0 ? null : new BigInteger(sum);
  }
}
