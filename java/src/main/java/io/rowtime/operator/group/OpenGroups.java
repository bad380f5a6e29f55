package io.rowtime.operator.group;

import io.rowtime.operator.Stage;
import io.rowtime.state.ChangedSlots;
import io.rowtime.state.KeyTimers;
import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Keys;
import io.rowtime.state.values.Output;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The groups that have not ended, with a slot for each. State contains a few values per group, by key, and one entry
 * for the time at which to check whether the group has ended. Groups that start and end in one batch are never written
 * to state.
 */
final class OpenGroups {
  /** The values that are kept for a slot. */
  interface Kept {
    void grow(int slots);

    void save(int slot, Output to);

    void load(int slot, Input from);

    void clear(int slot);
  }

  /**
   * Returns when the group of a slot ends, in microseconds of the watermark; it was expected to end at {@code
   * expected}.
   */
  interface End {
    long of(int slot, long expected);
  }

  /** Receives a group that has ended. */
  interface Ended {
    void accept(int slot, long end);
  }

  /** The maximum number of groups in memory; tests use less. */
  static int inMemory = 1 << 17;

  private final Kept kept;
  private final boolean evicts;
  private final KeyTimers closings = new KeyTimers();
  private final ChangedSlots touched = new ChangedSlots();
  private Keys keys = new Keys();
  private States.Entries entries;
  private boolean[] inState = new boolean[64];
  private boolean began;
  /** The number of groups in state, and whether all of them are in memory. */
  private long count;
  private boolean complete = true;

  /** @param evicts whether groups may be removed from memory while they are in state */
  OpenGroups(Kept kept, boolean evicts) {
    this.kept = kept;
    this.evicts = evicts;
  }

  void declare(States to) {
    to.entries("groups");
    to.blocks("closings");
  }

  void open(States to, Input from) {
    entries = to.entries("groups");
    closings.open(to.blocks("closings"), from);
    if (from == null) {
      return;
    }
    count = from.number();
    complete = !evicts || count <= inMemory;
    if (complete) {
      entries.forEach((key, saved) -> load(keys.slot(key), saved));
    }
  }

  void attach(States to) {
    entries = to.entries("groups");
    closings.attach(to.blocks("closings"));
  }

  void save(Output to) {
    closings.save(to);
    to.number(count);
  }

  /** Returns the mapping of groups to slots. */
  Keys keys() {
    return keys;
  }

  /** Returns the slot of the group with this key; {@link #began} then tells whether the group is new. */
  int slot(UnsafeRow key) {
    return loadIfNew(keys.slot(key));
  }

  boolean began() {
    return began;
  }

  private int loadIfNew(int slot) {
    began = false;
    if (keys.created()) {
      grow();
      byte[] saved = complete ? null : entries.get(keys.key(slot));
      began = saved == null;
      if (saved != null) {
        load(slot, saved);
      }
    }
    return slot;
  }

  private void load(int slot, byte[] saved) {
    grow();
    inState[slot] = true;
    kept.load(slot, new Input(saved));
  }

  private void grow() {
    kept.grow(keys.slots());
    if (keys.slots() > inState.length) {
      inState = Arrays.copyOf(inState, keys.slots() * 2);
    }
  }

  boolean isInState(int slot) {
    return inState[slot];
  }

  /** Keeps the group at least until that time. */
  void stays(int slot, long end) {
    if (!inState[slot]) {
      inState[slot] = true;
      closings.add(keys.key(slot), end);
      count++;
      touched.add(slot);
    }
  }

  /** Marks a group's values as changed, to be written to state. */
  void touch(int slot) {
    touched.add(slot);
  }

  /** Passes on the groups in state that have ended at {@code clock}; the receiver must end each. */
  void close(long clock, End end, Ended ended) {
    closings.close(clock, (key, expected) -> {
      int slot = loadIfNew(keys.slot(key));
      long over = end.of(slot, expected);
      if (over > clock) {
        closings.add(key, over);
      } else {
        ended.accept(slot, over);
      }
    });
  }

  /** Ends a group after its results have been read. */
  void forget(int slot) {
    if (inState[slot]) {
      inState[slot] = false;
      entries.remove(keys.key(slot));
      touched.remove(slot);
      count--;
    }
    kept.clear(slot);
    keys.free(slot);
  }

  /** Writes changes to the state. */
  void write() {
    for (int i = 0; i < touched.count(); i++) {
      int slot = touched.slot(i);
      if (touched.contains(slot)) {
        Output to = new Output();
        kept.save(slot, to);
        entries.put(keys.key(slot), to.toBytes());
      }
    }
    touched.clear();
    if (evicts && keys.size() > inMemory) {
      for (int slot = 0; slot < keys.slots(); slot++) {
        kept.clear(slot);
      }
      Arrays.fill(inState, false);
      keys = new Keys();
      complete = false;
    }
    complete |= count == 0;
  }

  /** Returns when to check next whether a group has ended, or {@link Stage#NEVER}. */
  long due() {
    return closings.due();
  }
}
