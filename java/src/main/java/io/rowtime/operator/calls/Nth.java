package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;

/** FIRST_VALUE and NTH_VALUE, with NULLs or without. */
final class Nth implements Aggregate {
  private final int column;
  private final int nth;
  private final boolean ignoreNulls;
  private final boolean removes;
  private final ValueQueues queues;

  /** @param nth counts from 1 */
  Nth(int column, ValueType type, int nth, boolean ignoreNulls, boolean removes) {
    this.column = column;
    this.queues = new ValueQueues(type);
    this.nth = nth;
    this.ignoreNulls = ignoreNulls;
    this.removes = removes;
  }

  @Override public void grow(int slots) {
    queues.grow(slots);
  }

  @Override public void add(int slot, Chunk from, int row) {
    Values values = from.columns[column];
    if (ignoreNulls && values.isNull(row)) {
      return;
    }
    Queue queue = queues.open(slot);
    if (removes || queue.size() < nth) {
      queue.add(0, values, row);
    }
  }

  @Override public void remove(int slot, Chunk from, int row) {
    if (!ignoreNulls || !from.columns[column].isNull(row)) {
      queues.get(slot).removeFirst();
    }
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    Queue queue = queues.get(slot);
    if (queue == null || queue.size() < nth) {
      to.setNull(at);
    } else {
      to.set(at, queue.values(), queue.at(nth - 1));
    }
  }

  @Override public void clear(int slot) {
    queues.clear(slot);
  }

  @Override public void save(int slot, Output to) {
    queues.save(slot, to);
  }

  @Override public void load(int slot, Input from) {
    queues.load(slot, from);
  }
}
