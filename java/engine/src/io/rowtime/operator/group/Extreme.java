package io.rowtime.operator.group;

import io.rowtime.operator.calls.Aggregate;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;

/** MIN and MAX of groups from which rows can be taken back: the value is looked up in {@link SortedCounts} after each batch. */
final class Extreme implements Aggregate {
  private final SortedCounts counts;
  private final boolean isMax;
  private final Values values;

  Extreme(SortedCounts counts, ValueType type, boolean isMax) {
    this.counts = counts;
    this.isMax = isMax;
    this.values = new Values(type, 0);
  }

  /** Looks up the value of a slot. */
  void refresh(int slot, byte[] group) {
    if (!counts.extreme(group, isMax, values, slot)) {
      values.setNull(slot);
    }
  }

  @Override public void grow(int slots) {
    // The column grows where a value is set.
  }

  @Override public void add(int slot, Chunk from, int row) {
    throw new UnsupportedOperationException("The values are counted elsewhere");
  }

  @Override public void remove(int slot, Chunk from, int row) {
    throw new UnsupportedOperationException("The values are counted elsewhere");
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    to.set(at, values, slot);
  }

  @Override public void clear(int slot) {
    values.setNull(slot);
  }

  @Override public void save(int slot, Output to) {
    values.save(slot, to);
  }

  @Override public void load(int slot, Input from) {
    values.load(slot, from);
  }
}
