package io.rowtime.operator.process;

import io.rowtime.state.ChangedSlots;
import io.rowtime.state.KeyTimers;
import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Output;
import java.util.Arrays;

/**
 * The partitions that have state, with a slot for each. The state store contains the processor's state by partition
 * key, and the time at which to process the partition without a row.
 */
final class OpenPartitions {
  /** The maximum number of partitions in memory; tests use less. */
  static int inMemory = 1 << 17;

  private final Processor processor;
  private final KeyTimers alarms = new KeyTimers();
  private final ChangedSlots touched = new ChangedSlots();
  private KeySlots keys = new KeySlots();
  private States.Entries entries;
  private Processor.Partition[] partitions = new Processor.Partition[64];
  /** The earliest alarm of a slot, in microseconds of the watermark; {@link Long#MAX_VALUE} if none is set. */
  private long[] alarmAt = new long[64];
  private boolean[] inState = new boolean[64];
  /** The number of partitions in state, and whether all of them are in memory. */
  private long count;
  private boolean complete = true;

  OpenPartitions(Processor processor) {
    this.processor = processor;
  }

  void declare(States to) {
    to.entries("partitions");
    to.blocks("alarms");
  }

  void open(States to, Input from) {
    entries = to.entries("partitions");
    alarms.open(to.blocks("alarms"), from);
    if (from == null) {
      return;
    }
    count = from.number();
    complete = count <= inMemory;
    if (complete) {
      entries.forEach((key, saved) -> load(keys.slot(key), saved));
    }
  }

  void attach(States to) {
    entries = to.entries("partitions");
    alarms.attach(to.blocks("alarms"));
  }

  void save(Output to) {
    alarms.save(to);
    to.number(count);
  }

  KeySlots keys() {
    return keys;
  }

  Processor.Partition get(int slot) {
    return partitions[slot];
  }

  /** Loads the state of the partition of a slot that {@link #keys} has just returned. */
  void touch(int slot) {
    if (keys.created()) {
      byte[] saved = complete ? null : entries.get(keys.key(slot));
      if (saved != null) {
        load(slot, saved);
      } else {
        grow(slot);
        partitions[slot] = processor.create();
        alarmAt[slot] = Long.MAX_VALUE;
        inState[slot] = false;
      }
    }
    touched.add(slot);
  }

  private void load(int slot, byte[] saved) {
    grow(slot);
    Input from = new Input(saved);
    alarmAt[slot] = from.fixedLong();
    partitions[slot] = processor.load(from);
    inState[slot] = true;
  }

  private void grow(int slot) {
    if (slot >= partitions.length) {
      partitions = Arrays.copyOf(partitions, slot * 2);
      alarmAt = Arrays.copyOf(alarmAt, slot * 2);
      inState = Arrays.copyOf(inState, slot * 2);
    }
  }

  /** Touches the partitions whose alarms are due at a watermark. */
  void wake(long watermark) {
    alarms.close(watermark, (key, at) -> {
      int slot = keys.slot(key);
      touch(slot);
      if (alarmAt[slot] <= at) {
        alarmAt[slot] = Long.MAX_VALUE;
      }
    });
  }

  /** Returns the slots that were touched in this batch. */
  ChangedSlots touched() {
    return touched;
  }

  /** Converts a bound to the watermark that it needs. */
  interface Reaches {
    long watermark(long bound);
  }

  /** Writes changes to the state. */
  void write(Reaches reaches) {
    for (int i = 0; i < touched.count(); i++) {
      int slot = touched.slot(i);
      if (partitions[slot].isEmpty()) {
        forget(slot);
        continue;
      }
      long due = partitions[slot].due();
      long alarm = due == Long.MAX_VALUE ? Long.MAX_VALUE : reaches.watermark(due);
      if (alarm < alarmAt[slot]) {
        alarmAt[slot] = alarm;
        alarms.add(keys.key(slot), alarm);
      }
      Output to = new Output();
      to.fixedLong(alarmAt[slot]);
      partitions[slot].save(to);
      entries.put(keys.key(slot), to.toBytes());
      if (!inState[slot]) {
        inState[slot] = true;
        count++;
      }
    }
    alarms.flush();
    touched.clear();
    if (keys.size() > inMemory) {
      keys = new KeySlots();
      partitions = new Processor.Partition[64];
      alarmAt = new long[64];
      inState = new boolean[64];
      complete = false;
    }
    complete |= count == 0;
  }

  private void forget(int slot) {
    if (inState[slot]) {
      entries.remove(keys.key(slot));
      count--;
    }
    inState[slot] = false;
    partitions[slot] = null;
    keys.free(slot);
  }

  /** Returns when to process a partition without a row, in microseconds of the watermark. */
  long due() {
    return alarms.due();
  }
}
