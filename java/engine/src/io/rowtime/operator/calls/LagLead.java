package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;

/**
 * LAG and LEAD: the first of the rows in the frame, or the default if there are fewer than required. Over a frame of
 * one row that is the row at the offset; with IGNORE NULLS, the frame is all preceding rows, of which the last ones are
 * kept.
 */
public final class LagLead extends QueueAggregate {
  private final int column;
  private final int offset;
  private final boolean ignoreNulls;
  private final int defaultColumn;

  /**
   * @param offset how many rows there must be: 1 if the frame is a single row
   * @param defaultColumn index of the column with the default, or -1
   */
  public LagLead(int column, ValueType type, int offset, boolean ignoreNulls, int defaultColumn) {
    super(type);
    this.column = column;
    this.offset = offset;
    this.ignoreNulls = ignoreNulls;
    this.defaultColumn = defaultColumn;
  }

  @Override public void add(int slot, Chunk from, int row) {
    if (ignoreNulls && from.columns[column].isNull(row)) {
      return;
    }
    Queue queue = queues.open(slot);
    // With IGNORE NULLS no row ever leaves the frame, so the last values are selected here.
    if (ignoreNulls && queue.size() == offset) {
      queue.removeFirst();
    }
    queue.add(0, from.columns[column], row);
  }

  @Override public void remove(int slot, Chunk from, int row) {
    queues.get(slot).removeFirst();
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    Queue queue = queues.get(slot);
    if (queue != null && queue.size() == offset) {
      to.set(at, queue.values(), queue.at(0));
    } else if (defaultColumn >= 0) {
      to.set(at, current.columns[defaultColumn], row);
    } else {
      to.setNull(at);
    }
  }
}
