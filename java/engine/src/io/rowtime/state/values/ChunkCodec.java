package io.rowtime.state.values;

import java.util.function.ToIntFunction;

/** Encodes chunks as bytes: each partition value once, times as differences, then column by column. */
public final class ChunkCodec {
  private static final int LAYOUT = 1;

  private ChunkCodec() {}

  /** Encodes the rows [from, to) of a chunk. */
  public static byte[] encode(Chunk chunk, int from, int to, KeySlots keys) {
    Output out = new Output();
    out.number(LAYOUT);
    out.number(to - from);
    KeyTable table = new KeyTable(keys);
    for (int row = from; row < to; row++) {
      table.add(chunk.slots[row]);
    }
    table.write(out);
    long time = 0;
    for (int row = from; row < to; row++) {
      out.number(table.number(chunk.slots[row]));
      out.number(chunk.times[row] - time);
      time = chunk.times[row];
    }
    table.clear();
    for (Values column : chunk.columns) {
      for (int row = from; row < to; row++) {
        column.save(row, out);
      }
    }
    return out.toBytes();
  }

  /** @param slotOf returns the slot of a partition value, which may be a new one */
  public static Chunk decode(byte[] bytes, ValueType[] types, ToIntFunction<byte[]> slotOf) {
    Input in = new Input(bytes);
    Layout.check(in.number(), LAYOUT);
    int rows = in.count();
    int[] slots = KeyTable.read(in, slotOf);
    Chunk chunk = new Chunk(types, rows);
    long time = 0;
    for (int row = 0; row < rows; row++) {
      int slot = slots[in.count()];
      time += in.number();
      chunk.add(time, slot);
    }
    for (Values column : chunk.columns) {
      for (int row = 0; row < rows; row++) {
        column.load(row, in);
      }
    }
    return chunk;
  }
}
