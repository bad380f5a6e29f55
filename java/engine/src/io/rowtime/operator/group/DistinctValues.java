package io.rowtime.operator.group;

import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.Values;

/** Which values groups have, in the state. */
interface DistinctValues {
  /** Says where the state is; before the first row of a batch. */
  void attach(States.Entries to);

  /**
   * Adds a value to a group, or takes it back.
   *
   * @param group the key of the group in a slot
   * @param times how often; below 0 if it is taken back
   * @return 1 if the group has it now, and has not had it; -1 if it is the other way round; else 0
   */
  int add(int slot, byte[] group, Values values, int at, long times);

  /** Forgets the values of a group, whose life has ended. */
  void end(int slot, byte[] group);

  /** Writes what the batch has changed. */
  void write();

  void grow(int slots);

  /** Writes what is needed of the group of a slot besides the entries. */
  void save(int slot, Output to);

  void load(int slot, Input from);

  /** Removes the group of a slot from memory. */
  void clear(int slot);
}
