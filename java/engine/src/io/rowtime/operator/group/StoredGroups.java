package io.rowtime.operator.group;

import io.rowtime.state.ChangedSlots;
import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Output;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Groups with a slot for each, whose values are in the state: an entry per group, by key. Only so many groups are in
 * memory; the others are read when a row of theirs arrives.
 */
final class StoredGroups {
  /** The values that are kept for a slot. */
  interface Kept {
    void grow(int slots);

    void save(int slot, Output to);

    void load(int slot, Input from);

    void clear(int slot);
  }

  /** The maximum number of groups in memory; tests use less. */
  static int inMemory = 1 << 17;

  private final Kept kept;
  private final boolean evicts;
  private final ChangedSlots touched = new ChangedSlots();
  private KeySlots keys = new KeySlots();
  private States.Entries entries;
  private boolean[] inState = new boolean[64];
  private boolean began;
  /** The number of groups in state, and whether all of them are in memory. */
  private long count;
  private boolean complete = true;

  /** @param evicts whether groups may be removed from memory while they are in state */
  StoredGroups(Kept kept, boolean evicts) {
    this.kept = kept;
    this.evicts = evicts;
  }

  static void declare(States to) {
    to.entries("groups");
  }

  /** @param from what {@link #save} has written, or null at the beginning */
  void open(States to, Input from) {
    entries = to.entries("groups");
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
  }

  void save(Output to) {
    to.number(count);
  }

  /** Returns the mapping of groups to slots. */
  KeySlots keys() {
    return keys;
  }

  /** Returns the slot of the group with this key; {@link #began} then tells whether the group is new. */
  int slot(UnsafeRow key) {
    return loadIfNew(keys.slot(key));
  }

  /** Like {@link #slot(UnsafeRow)}, for the bytes of a key. */
  int slot(byte[] key) {
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

  /** Adds a group to the state, unless it is there already; returns whether it was not. */
  boolean enter(int slot) {
    if (inState[slot]) {
      return false;
    }
    inState[slot] = true;
    count++;
    touched.add(slot);
    return true;
  }

  /** Marks a group's values as changed, to be written to state. */
  void touch(int slot) {
    touched.add(slot);
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
      keys = new KeySlots();
      complete = false;
    }
    complete |= count == 0;
  }
}
