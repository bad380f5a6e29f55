package io.rowtime.operator.group;

import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.Values;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** How often groups have values: an entry of the state for each value of a group. A batch reads and writes those that it names. */
final class ValueCounts implements DistinctValues {
  private final int number;
  private States.Entries entries;
  /** Of the current batch, by group and value: the count in the state, and the count now. */
  private final Map<ByteBuffer, long[]> counts = new HashMap<>();

  /** @param number tells it apart from others with the same entries */
  ValueCounts(int number) {
    this.number = number;
  }

  @Override public void attach(States.Entries to) {
    entries = to;
  }

  @Override public int add(int slot, byte[] group, Values values, int at, long times) {
    Output key = new Output();
    key.number(number);
    key.bytes(group);
    values.save(at, key);
    long[] count = counts.computeIfAbsent(ByteBuffer.wrap(key.toBytes()), this::read);
    boolean had = count[1] != 0;
    count[1] += times;
    return had == (count[1] != 0) ? 0 : had ? -1 : 1;
  }

  private long[] read(ByteBuffer key) {
    byte[] saved = entries.get(key.array());
    long count = saved == null ? 0 : new Input(saved).number();
    return new long[] {count, count};
  }

  /** No life of a group ends. */
  @Override public void end(int slot, byte[] group) {}

  @Override public void grow(int slots) {}

  @Override public void save(int slot, Output to) {}

  @Override public void load(int slot, Input from) {}

  @Override public void clear(int slot) {}

  @Override public void write() {
    counts.forEach((key, count) -> {
      if (count[1] == 0 && count[0] != 0) {
        entries.remove(key.array());
      } else if (count[1] != count[0]) {
        Output to = new Output();
        to.number(count[1]);
        entries.put(key.array(), to.toBytes());
      }
    });
    counts.clear();
  }
}
