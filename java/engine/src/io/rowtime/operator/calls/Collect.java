package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * LISTAGG and COLLECT: the values of the frame in order, without NULLs; with DISTINCT each value once, at its first
 * position. A result is as long as the frame, so each result reads the whole frame.
 */
final class Collect implements Aggregate {
  private final int column;
  private final ValueType type;
  private final boolean distinct;
  /** Null for a result that is an array. */
  private final UTF8String separator;
  private final ValueQueues queues;

  Collect(int column, ValueType type, boolean distinct, String separator) {
    this.column = column;
    this.type = type;
    this.queues = new ValueQueues(type);
    this.distinct = distinct;
    this.separator = separator == null ? null : UTF8String.fromString(separator);
  }

  @Override public void grow(int slots) {
    queues.grow(slots);
  }

  @Override public void add(int slot, Chunk from, int row) {
    if (!from.columns[column].isNull(row)) {
      queues.open(slot).add(0, from.columns[column], row);
    }
  }

  @Override public void remove(int slot, Chunk from, int row) {
    if (!from.columns[column].isNull(row)) {
      queues.get(slot).removeFirst();
    }
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    Queue queue = queues.get(slot);
    int size = queues.size(slot);
    Values kept = new Values(type, size);
    int count = 0;
    Set<Object> seen = distinct ? new HashSet<>() : null;
    for (int i = 0; i < size; i++) {
      if (seen == null || seen.add(queue.values().key(queue.at(i)))) {
        kept.set(count++, queue.values(), queue.at(i));
      }
    }
    if (separator == null) {
      to.setObject(at, kept.toArray(count));
    } else if (count == 0) {
      to.setNull(at);
    } else {
      UTF8String[] texts = new UTF8String[count];
      for (int i = 0; i < count; i++) {
        texts[i] = (UTF8String) kept.getObject(i);
      }
      to.setObject(at, UTF8String.concatWs(separator, texts));
    }
  }

  @Override public void clear(int slot) {
    queues.clear(slot);
  }
}
