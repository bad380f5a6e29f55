package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.Values;

/**
 * A function over the rows of a frame, for all partition values at once; each partition value has a slot. Rows of a
 * slot enter in order and leave in the same order. A row is passed as a row of a chunk, with the same columns both
 * times.
 */
public interface Aggregate {
  /** Prepares for slots below this number. */
  void grow(int slots);

  void add(int slot, Chunk from, int row);

  void remove(int slot, Chunk from, int row);

  /** Writes the value over the rows in the frame, for the row {@code row} of {@code current}. */
  void result(int slot, Chunk current, int row, Values to, int at);

  /** Clears the state of the slot. */
  void clear(int slot);

  /** Saves the state of a slot. Supported if rows never leave and the state is small; see {@link Calls#isSmall}. */
  default void save(int slot, Output to) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " grows with its frame");
  }

  default void load(int slot, Input from) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " grows with its frame");
  }
}
