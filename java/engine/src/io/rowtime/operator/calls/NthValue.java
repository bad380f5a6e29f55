package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;

/** FIRST_VALUE and NTH_VALUE, with or without NULLs. */
final class NthValue extends QueueAggregate {
  private final int column;
  private final int nth;
  private final boolean ignoreNulls;
  private final boolean removes;

  /** @param nth the position, from 1 */
  NthValue(int column, ValueType type, int nth, boolean ignoreNulls, boolean removes) {
    super(type);
    this.column = column;
    this.nth = nth;
    this.ignoreNulls = ignoreNulls;
    this.removes = removes;
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
}
