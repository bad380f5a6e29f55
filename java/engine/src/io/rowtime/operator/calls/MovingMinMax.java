package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.Arrays;

/**
 * MIN and MAX over sliding frames: keeps, for each slot, the values that can still become the result, best first. A new
 * value removes all earlier values that are no better, so each value is added and removed once.
 */
final class MovingMinMax implements Aggregate {
  private final int column;
  private final boolean isMax;
  private final ValueQueues queues;
  private long[] added = new long[0];
  private long[] removed = new long[0];

  MovingMinMax(int column, ValueType type, boolean isMax) {
    this.column = column;
    this.queues = new ValueQueues(type);
    this.isMax = isMax;
  }

  @Override public void grow(int slots) {
    queues.grow(slots);
    if (slots > added.length) {
      added = Arrays.copyOf(added, slots * 2);
      removed = Arrays.copyOf(removed, slots * 2);
    }
  }

  @Override public void add(int slot, Chunk from, int row) {
    Values values = from.columns[column];
    if (values.isNull(row)) {
      return;
    }
    Queue queue = queues.open(slot);
    while (queue.size() > 0) {
      int order = queue.values().compare(queue.at(queue.size() - 1), values, row);
      if (isMax ? order > 0 : order < 0) {
        break;
      }
      queue.removeLast();
    }
    queue.add(added[slot]++, values, row);
  }

  @Override public void remove(int slot, Chunk from, int row) {
    if (from.columns[column].isNull(row)) {
      return;
    }
    long number = removed[slot]++;
    Queue queue = queues.get(slot);
    if (queue.size() > 0 && queue.firstNumber() == number) {
      queue.removeFirst();
    }
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    if (queues.size(slot) == 0) {
      to.setNull(at);
    } else {
      Queue queue = queues.get(slot);
      to.set(at, queue.values(), queue.at(0));
    }
  }

  @Override public void clear(int slot) {
    queues.clear(slot);
    added[slot] = 0;
    removed[slot] = 0;
  }
}
