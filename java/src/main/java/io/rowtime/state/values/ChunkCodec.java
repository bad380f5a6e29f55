package io.rowtime.state.values;

import java.util.function.ToIntFunction;

/** Chunks as bytes: partition values once each, times as differences, then column by column. */
public final class ChunkCodec {
  private static final int LAYOUT = 1;

  private ChunkCodec() {}

  /** The rows [from, to) of a chunk. */
  public static byte[] encode(Chunk chunk, int from, int to, Keys keys) {
    Output out = new Output();
    out.number(LAYOUT);
    out.number(to - from);
    int[] numbers = keys.marks();
    int[] distinct = new int[Math.min(keys.slots(), to - from)];
    int count = 0;
    for (int row = from; row < to; row++) {
      int slot = chunk.slots[row];
      if (numbers[slot] == 0) {
        distinct[count++] = slot;
        numbers[slot] = count;
      }
    }
    out.number(count);
    for (int i = 0; i < count; i++) {
      out.bytes(keys.key(distinct[i]));
    }
    long time = 0;
    for (int row = from; row < to; row++) {
      out.number(numbers[chunk.slots[row]] - 1);
      out.number(chunk.times[row] - time);
      time = chunk.times[row];
    }
    for (int i = 0; i < count; i++) {
      numbers[distinct[i]] = 0;
    }
    for (Values column : chunk.columns) {
      for (int row = from; row < to; row++) {
        column.save(row, out);
      }
    }
    return out.toBytes();
  }

  /** @param slotOf the slot of a partition value, which may be a new one */
  public static Chunk decode(byte[] bytes, ValueType[] types, ToIntFunction<byte[]> slotOf) {
    Input in = new Input(bytes);
    long layout = in.number();
    if (layout != LAYOUT) {
      throw new IllegalStateException("State of another version of rowtime: layout " + layout + ", not " + LAYOUT);
    }
    int rows = in.count();
    int[] slots = new int[in.count()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = slotOf.applyAsInt(in.bytes());
    }
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
