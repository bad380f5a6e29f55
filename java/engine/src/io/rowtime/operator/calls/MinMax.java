package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.Arrays;

/** MIN and MAX over frames that rows never leave: keeps the best value of each slot. */
final class MinMax implements Aggregate {
  private final int column;
  private final boolean isMax;
  private final Values best;
  private boolean[] found = new boolean[0];

  MinMax(int column, ValueType type, boolean isMax) {
    this.column = column;
    this.isMax = isMax;
    this.best = new Values(type, 0);
  }

  @Override public void grow(int slots) {
    if (slots > found.length) {
      found = Arrays.copyOf(found, slots * 2);
    }
  }

  @Override public void add(int slot, Chunk from, int row) {
    Values values = from.columns[column];
    if (values.isNull(row)) {
      return;
    }
    if (found[slot]) {
      int order = best.compare(slot, values, row);
      if (isMax ? order >= 0 : order <= 0) {
        return;
      }
    }
    found[slot] = true;
    best.set(slot, values, row);
  }

  @Override public void remove(int slot, Chunk from, int row) {
    throw new UnsupportedOperationException("No row leaves");
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    if (found[slot]) {
      to.set(at, best, slot);
    } else {
      to.setNull(at);
    }
  }

  @Override public void clear(int slot) {
    if (found[slot]) {
      found[slot] = false;
      best.setNull(slot);
    }
  }

  @Override public void save(int slot, Output to) {
    to.flag(found[slot]);
    if (found[slot]) {
      best.save(slot, to);
    }
  }

  @Override public void load(int slot, Input from) {
    clear(slot);
    if (from.flag()) {
      found[slot] = true;
      best.load(slot, from);
    }
  }
}
