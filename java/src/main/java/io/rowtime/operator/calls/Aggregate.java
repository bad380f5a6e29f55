package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.Values;

/**
 * A function over the rows of a frame, for all partition values at once: each has a slot. Rows of a slot enter in order
 * and leave in the same order, each as the row of a chunk, with the same columns both times.
 */
public interface Aggregate {
  /** Slots below this number are about to be used. */
  void grow(int slots);

  void add(int slot, Chunk from, int row);

  void remove(int slot, Chunk from, int row);

  /** Writes the value over the rows that are in; {@code current} and {@code row} are the row that it is for. */
  void result(int slot, Chunk current, int row, Values to, int at);

  /** Forgets what the slot holds. */
  void clear(int slot);

  /** Where no row ever leaves, what is kept for a slot is small, and can be written; see {@link Calls#isSmall}. */
  default void save(int slot, Output to) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " grows with its frame");
  }

  default void load(int slot, Input from) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " grows with its frame");
  }
}
