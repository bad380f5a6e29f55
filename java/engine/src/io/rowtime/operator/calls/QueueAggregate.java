package io.rowtime.operator.calls;

import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;

/** An aggregate whose state is a queue of the frame's values. */
abstract class QueueAggregate implements Aggregate {
  final ValueQueues queues;

  QueueAggregate(ValueType type) {
    this.queues = new ValueQueues(type);
  }

  @Override public final void grow(int slots) {
    queues.grow(slots);
  }

  @Override public final void clear(int slot) {
    queues.clear(slot);
  }

  @Override public final void save(int slot, Output to) {
    queues.save(slot, to);
  }

  @Override public final void load(int slot, Input from) {
    queues.load(slot, from);
  }
}
