package io.rowtime.operator.group;

import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.Values;
import java.util.Arrays;

/**
 * Which values groups have whose lives end: an entry of the state for each value of a group, and one with its number, by which the values
 * are found and removed when the life of the group ends. Values are never taken back.
 */
final class LifeValues implements DistinctValues {
  private static final byte[] THERE = {1};

  private final int number;
  private States.Entries entries;
  /** How many values the group of a slot has. */
  private long[] sizes = new long[64];

  /** @param number tells it apart from others with the same entries */
  LifeValues(int number) {
    this.number = number;
  }

  @Override public void attach(States.Entries to) {
    entries = to;
  }

  @Override public int add(int slot, byte[] group, Values values, int at, long times) {
    Output to = new Output();
    to.number(2L * number);
    to.bytes(group);
    values.save(at, to);
    byte[] value = to.toBytes();
    if (entries.get(value) != null) {
      return 0;
    }
    entries.put(value, THERE);
    entries.put(numbered(group, sizes[slot]++), value);
    return 1;
  }

  @Override public void end(int slot, byte[] group) {
    for (long i = 0; i < sizes[slot]; i++) {
      byte[] listed = numbered(group, i);
      entries.remove(entries.get(listed));
      entries.remove(listed);
    }
    sizes[slot] = 0;
  }

  private byte[] numbered(byte[] group, long place) {
    Output to = new Output();
    to.number(2L * number + 1);
    to.bytes(group);
    to.number(place);
    return to.toBytes();
  }

  /** All is in the state. */
  @Override public void write() {}

  @Override public void grow(int slots) {
    if (slots > sizes.length) {
      sizes = Arrays.copyOf(sizes, slots * 2);
    }
  }

  @Override public void save(int slot, Output to) {
    to.number(sizes[slot]);
  }

  @Override public void load(int slot, Input from) {
    sizes[slot] = from.number();
  }

  @Override public void clear(int slot) {
    sizes[slot] = 0;
  }
}
