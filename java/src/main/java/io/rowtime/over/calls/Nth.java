package io.rowtime.over.calls;

import io.rowtime.over.values.Chunk;
import io.rowtime.over.values.Input;
import io.rowtime.over.values.Output;
import io.rowtime.over.values.ValueType;
import io.rowtime.over.values.Values;
import java.util.Arrays;

/** FIRST_VALUE and NTH_VALUE, with NULLs or without. */
final class Nth implements Aggregate {
  private final int column;
  private final ValueType type;
  private final int nth;
  private final boolean ignoreNulls;
  private final boolean removes;
  private Queue[] queues = new Queue[0];

  /** @param nth counts from 1 */
  Nth(int column, ValueType type, int nth, boolean ignoreNulls, boolean removes) {
    this.column = column;
    this.type = type;
    this.nth = nth;
    this.ignoreNulls = ignoreNulls;
    this.removes = removes;
  }

  @Override public void grow(int slots) {
    if (slots > queues.length) {
      queues = Arrays.copyOf(queues, slots * 2);
    }
  }

  @Override public void add(int slot, Chunk from, int row) {
    Values values = from.columns[column];
    if (ignoreNulls && values.isNull(row)) {
      return;
    }
    if (queues[slot] == null) {
      queues[slot] = new Queue(type);
    }
    if (removes || queues[slot].size() < nth) {
      queues[slot].add(0, values, row);
    }
  }

  @Override public void remove(int slot, Chunk from, int row) {
    if (!ignoreNulls || !from.columns[column].isNull(row)) {
      queues[slot].removeFirst();
    }
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    Queue queue = queues[slot];
    if (queue == null || queue.size() < nth) {
      to.setNull(at);
    } else {
      to.set(at, queue.values(), queue.at(nth - 1));
    }
  }

  @Override public void clear(int slot) {
    queues[slot] = null;
  }

  @Override public void save(int slot, Output to) {
    Queue queue = queues[slot];
    int size = queue == null ? 0 : queue.size();
    to.number(size);
    for (int i = 0; i < size; i++) {
      queue.values().save(queue.at(i), to);
    }
  }

  @Override public void load(int slot, Input from) {
    int size = from.count();
    queues[slot] = size == 0 ? null : new Queue(type);
    Values one = new Values(type, 1);
    for (int i = 0; i < size; i++) {
      one.load(0, from);
      queues[slot].add(0, one, 0);
    }
  }
}
