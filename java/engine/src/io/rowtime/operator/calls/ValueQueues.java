package io.rowtime.operator.calls;

import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.Arrays;

/** A queue of values for each slot. */
final class ValueQueues {
  private final ValueType type;
  private Queue[] queues = new Queue[0];

  ValueQueues(ValueType type) {
    this.type = type;
  }

  void grow(int slots) {
    if (slots > queues.length) {
      queues = Arrays.copyOf(queues, slots * 2);
    }
  }

  /** Returns the values of a slot, or null if it has none. */
  Queue get(int slot) {
    return queues[slot];
  }

  /** Returns the values of a slot for adding to them; creates the queue if necessary. */
  Queue open(int slot) {
    Queue queue = queues[slot];
    if (queue == null) {
      queue = queues[slot] = new Queue(type);
    }
    return queue;
  }

  int size(int slot) {
    Queue queue = queues[slot];
    return queue == null ? 0 : queue.size();
  }

  void clear(int slot) {
    queues[slot] = null;
  }

  void save(int slot, Output to) {
    int size = size(slot);
    to.number(size);
    Queue queue = queues[slot];
    for (int i = 0; i < size; i++) {
      queue.values().save(queue.at(i), to);
    }
  }

  void load(int slot, Input from) {
    clear(slot);
    Values one = new Values(type, 1);
    for (int size = from.count(); size > 0; size--) {
      one.load(0, from);
      open(slot).add(0, one, 0);
    }
  }
}
