package io.rowtime.operator.group;

import io.rowtime.operator.Stage;
import io.rowtime.state.KeyTimers;
import io.rowtime.state.States;
import io.rowtime.state.StoredSlots;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Output;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The groups that have not ended ({@link StoredSlots}), with one entry in the state for the time at which to check
 * whether a group has ended. Groups that start and end in one batch are never written to state.
 */
final class OpenGroups {
  /** The name of the entries with the groups. */
  static final String NAME = "groups";

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

  private final StoredSlots groups;
  private final KeyTimers closings = new KeyTimers();

  /** @param evicts whether groups may be removed from memory while they are in state */
  OpenGroups(StoredSlots.Kept kept, boolean evicts) {
    groups = new StoredSlots(kept, evicts);
  }

  void declare(States to) {
    to.entries(NAME);
    to.blocks("closings");
  }

  void open(States to, Input from) {
    closings.open(to.blocks("closings"), from);
    groups.open(to.entries(NAME), from);
  }

  void attach(States to) {
    groups.attach(to.entries(NAME));
    closings.attach(to.blocks("closings"));
  }

  void save(Output to) {
    closings.save(to);
    groups.save(to);
  }

  /** Returns the mapping of groups to slots. */
  KeySlots keys() {
    return groups.keys();
  }

  /** Returns the slot of the group with this key; {@link #began} then tells whether the group is new. */
  int slot(UnsafeRow key) {
    return groups.slot(key);
  }

  boolean began() {
    return groups.began();
  }

  boolean isInState(int slot) {
    return groups.isInState(slot);
  }

  /** Keeps the group at least until that time. */
  void stays(int slot, long end) {
    if (groups.add(slot)) {
      closings.add(keys().key(slot), end);
    }
  }

  /** Marks a group's values as changed, to be written to state. */
  void touch(int slot) {
    groups.touch(slot);
  }

  /** Passes on the groups in state that have ended at {@code clock}; the receiver must end each. */
  void close(long clock, End end, Ended ended) {
    closings.close(clock, (key, expected) -> {
      int slot = groups.slot(key);
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
    groups.forget(slot);
  }

  /** Writes changes to the state. */
  void write() {
    groups.write();
  }

  /** Returns when to check next whether a group has ended, or {@link Stage#NEVER}. */
  long due() {
    return closings.due();
  }
}
