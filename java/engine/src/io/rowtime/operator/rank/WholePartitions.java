package io.rowtime.operator.rank;

import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;

/** Partitions with an entry each, in the form that {@link SortedPartitions} gives those with few rows. */
final class WholePartitions {
  private WholePartitions() {}

  /** Returns a view of entries by partition. */
  static States.Entries of(States.Entries entries) {
    return new States.Entries() {
      @Override public byte[] get(byte[] key) {
        return entries.get(SortedPartitions.key(key, SortedPartitions.DIRECTORY));
      }

      @Override public void put(byte[] key, byte[] value) {
        entries.put(SortedPartitions.key(key, SortedPartitions.DIRECTORY), value);
      }

      @Override public void remove(byte[] key) {
        entries.remove(SortedPartitions.key(key, SortedPartitions.DIRECTORY));
      }

      @Override public void forEach(BiConsumer<byte[], byte[]> each) {
        entries.forEach((key, value) -> each.accept(new Input(key).bytes(), value));
      }
    };
  }

  /** Writes rows in order. */
  static void save(byte[][] rows, Output to) {
    to.number(0);
    to.number(rows.length);
    for (byte[] row : rows) {
      to.bytes(row);
      to.number(1);
    }
  }

  /** Reads so many rows at most; equal rows follow one another. */
  static byte[][] load(Input from, int limit) {
    if (from.number() != 0) {
      throw new IllegalStateException("The partition has more than one page");
    }
    List<byte[]> rows = new ArrayList<>();
    for (long left = from.number(); left > 0 && rows.size() < limit; left--) {
      byte[] row = from.bytes();
      rows.addAll(Collections.nCopies((int) Math.min(from.number(), limit - rows.size()), row));
    }
    return rows.toArray(byte[][]::new);
  }
}
