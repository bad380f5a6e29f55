package io.rowtime.state;

import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Output;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Keys with a slot for each, whose values are in the state: an entry per key. Only so many keys are in memory; the
 * others are read when a row of theirs arrives.
 */
public final class StoredSlots {
  /** The values that are kept for a slot. */
  public interface Kept {
    void grow(int slots);

    void save(int slot, Output to);

    void load(int slot, Input from);

    void clear(int slot);

    /** Returns how many bytes the values need in memory, if that is not a few for each slot. */
    default long bytes() {
      return 0;
    }
  }

  /** The maximum number of keys in memory between micro-batches, and of the bytes of their values; tests use less. */
  public static int inMemory = 1 << 17;
  public static long maxBytes = 64 << 20;
  /** More keys than there ever are. */
  private static final long UNKNOWN = Long.MAX_VALUE / 2;

  private final Kept kept;
  private final boolean evicts;
  private final ChangedSlots touched = new ChangedSlots();
  private KeySlots keys = new KeySlots();
  private States.Entries entries;
  private boolean[] inState = new boolean[64];
  private boolean began;
  /** The number of keys in state, and whether all of them are in memory. */
  private long count;
  private boolean complete = true;

  /** @param evicts whether keys may be removed from memory while they are in state */
  public StoredSlots(Kept kept, boolean evicts) {
    this.kept = kept;
    this.evicts = evicts;
  }

  /** @param from what {@link #save} has written, or null at the beginning */
  public void open(States.Entries to, Input from) {
    entries = to;
    if (from == null) {
      return;
    }
    count = from.number();
    complete = !evicts || count <= inMemory;
    if (complete) {
      entries.forEach((key, saved) -> {
        if (complete) {
          load(keys.slot(key), saved);
          complete = !evicts || kept.bytes() <= maxBytes;
        }
      });
    }
  }

  /** Opens entries that an operator has written without {@link #save}. */
  public void openUncounted(States.Entries to) {
    entries = to;
    count = UNKNOWN;
    complete = false;
  }

  public void attach(States.Entries to) {
    entries = to;
  }

  public void save(Output to) {
    to.number(count);
  }

  /** Returns the mapping of keys to slots. */
  public KeySlots keys() {
    return keys;
  }

  /** Returns the slot of a key; {@link #began} then tells whether the key is new. */
  public int slot(UnsafeRow key) {
    return loadIfNew(keys.slot(key));
  }

  /** Like {@link #slot(UnsafeRow)}, for the bytes of a key. */
  public int slot(byte[] key) {
    return loadIfNew(keys.slot(key));
  }

  public boolean began() {
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

  public boolean isInState(int slot) {
    return inState[slot];
  }

  /** Adds a key to the state, unless it is there already; returns whether it was not. */
  public boolean add(int slot) {
    if (inState[slot]) {
      return false;
    }
    inState[slot] = true;
    count++;
    touched.add(slot);
    return true;
  }

  /** Marks a key's values as changed, to be written to state; adds the key if it is not there. */
  public void touch(int slot) {
    if (!add(slot)) {
      touched.add(slot);
    }
  }

  /** Removes a key. */
  public void forget(int slot) {
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
  public void write() {
    for (int i = 0; i < touched.count(); i++) {
      int slot = touched.slot(i);
      if (touched.contains(slot)) {
        Output to = new Output();
        kept.save(slot, to);
        entries.put(keys.key(slot), to.toBytes());
      }
    }
    touched.clear();
    if (evicts && (keys.size() > inMemory || kept.bytes() > maxBytes)) {
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
