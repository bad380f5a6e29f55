package io.rowtime.operator.over;

import io.rowtime.operator.AppliedCall;
import io.rowtime.operator.Stage;
import io.rowtime.state.ChangedSlots;
import io.rowtime.state.KeyTimers;
import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Output;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Frames that rows never leave: a few values per partition value, in state by key. A batch writes those that it has
 * changed at its end. When a partition closes, its values are removed.
 */
final class SavedFrames {
  /** The number of partition values that are also kept in memory; tests use less. */
  static int inMemory = 1 << 17;

  final ChangedSlots touched = new ChangedSlots();
  private final TimePlan plan;
  private final List<TimeFrame> frames;
  private final KeyTimers closings;
  private States.Entries entries;
  private boolean created;

  SavedFrames(TimePlan plan) {
    this.plan = plan;
    this.frames = plan.frames.stream().filter(frame -> frame.lower == TimeFrame.Lower.NEVER).toList();
    this.closings = plan.closes >= 0 && !frames.isEmpty() ? new KeyTimers() : null;
  }

  boolean isEmpty() {
    return frames.isEmpty();
  }

  void declare(States states) {
    if (!isEmpty()) {
      states.entries("values");
      if (closings != null) {
        states.blocks("closings");
      }
    }
  }

  void open(States states, Input saved) {
    if (isEmpty()) {
      return;
    }
    entries = states.entries("values");
    if (closings != null) {
      closings.open(states.blocks("closings"), saved);
    }
  }

  void attach(States states) {
    if (isEmpty()) {
      return;
    }
    entries = states.entries("values");
    if (closings != null) {
      closings.attach(states.blocks("closings"));
    }
  }

  void save(Output to) {
    if (closings != null) {
      closings.save(to);
    }
  }

  /** Reads the state of a slot that is new in memory. */
  void open(int slot, KeySlots keys) {
    created = false;
    if (isEmpty() || !keys.created()) {
      return;
    }
    byte[] bytes = entries.get(keys.key(slot));
    created = bytes == null;
    Input from = bytes == null ? null : new Input(bytes);
    for (TimeFrame frame : frames) {
      frame.grow(keys.slots());
      for (AppliedCall call : frame.calls) {
        if (from == null) {
          call.aggregate.clear(slot);
        } else {
          call.aggregate.load(slot, from);
        }
      }
    }
  }

  /** Returns whether the slot that was opened last is of a partition value that had no state. */
  boolean created() {
    return created;
  }

  /** Records when the partition that this row starts is complete, and all its rows have been emitted. */
  void announce(byte[] key, UnsafeRow row) {
    if (closings != null) {
      closings.add(key, plan.emitted(row));
    }
  }

  /** Writes the changed values. */
  void write(KeySlots keys) {
    for (int i = 0; i < touched.count(); i++) {
      int slot = touched.slot(i);
      Output to = new Output();
      for (TimeFrame frame : frames) {
        for (AppliedCall call : frame.calls) {
          call.aggregate.save(slot, to);
        }
      }
      entries.put(keys.key(slot), to.toBytes());
    }
    touched.clear();
  }

  void close(long clock, Consumer<byte[]> closed) {
    if (closings != null) {
      closings.close(clock, (key, end) -> {
        entries.remove(key);
        closed.accept(key);
      });
    }
  }

  long due() {
    return closings == null ? Stage.NEVER : closings.due();
  }
}
