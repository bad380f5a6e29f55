package io.rowtime.over.calls;

import io.rowtime.over.values.Chunk;
import io.rowtime.over.values.Input;
import io.rowtime.over.values.Output;
import io.rowtime.over.values.ValueType;
import io.rowtime.over.values.Values;
import java.util.Arrays;

/**
 * LAG and LEAD: the first of the rows that are in, or the default where there are fewer than there have to be. Over a
 * frame of one row that is the row at the offset; with IGNORE NULLS, the frame is all rows before, of which the last
 * are kept.
 */
public final class Shifted implements Aggregate {
  private final int column;
  private final ValueType type;
  private final int offset;
  private final boolean ignoreNulls;
  private final int defaultColumn;
  private final Values constant;
  private Queue[] queues = new Queue[0];

  /**
   * @param offset how many rows there have to be: 1 where the frame is a single row
   * @param defaultColumn index of the column with the default, or -1
   * @param constant a single value, the default where there is no column; may be null
   */
  public Shifted(int column, ValueType type, int offset, boolean ignoreNulls, int defaultColumn, Values constant) {
    this.column = column;
    this.type = type;
    this.offset = offset;
    this.ignoreNulls = ignoreNulls;
    this.defaultColumn = defaultColumn;
    this.constant = constant;
  }

  @Override public void grow(int slots) {
    if (slots > queues.length) {
      queues = Arrays.copyOf(queues, slots * 2);
    }
  }

  @Override public void add(int slot, Chunk from, int row) {
    if (ignoreNulls && from.columns[column].isNull(row)) {
      return;
    }
    if (queues[slot] == null) {
      queues[slot] = new Queue(type);
    }
    // No row ever leaves a frame without NULLs, so the last ones have to be told apart here.
    if (ignoreNulls && queues[slot].size() == offset) {
      queues[slot].removeFirst();
    }
    queues[slot].add(0, from.columns[column], row);
  }

  @Override public void remove(int slot, Chunk from, int row) {
    queues[slot].removeFirst();
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    Queue queue = queues[slot];
    if (queue != null && queue.size() == offset) {
      to.set(at, queue.values(), queue.at(0));
    } else if (defaultColumn >= 0) {
      to.set(at, current.columns[defaultColumn], row);
    } else if (constant != null) {
      to.set(at, constant, 0);
    } else {
      to.setNull(at);
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
