package io.rowtime.over;

import io.rowtime.operators.HeldRows;
import io.rowtime.operators.Run;
import io.rowtime.operators.RowBuffer;
import io.rowtime.over.values.Input;
import io.rowtime.over.values.Output;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/** The partition values that will be complete at some time, in state: each once, by that time. */
final class Closings {
  private HeldRows.Blocks blocks;
  private HeldRows held;
  private RowBuffer added;

  /** @param saved what {@link #save} wrote, or null */
  void open(HeldRows.Blocks to, Input saved) {
    byte[] directory = saved == null ? new byte[0] : saved.bytes();
    attach(to, directory);
  }

  /** Takes over where the state lies now. */
  void attach(HeldRows.Blocks to) {
    byte[] directory = held.directory();
    attach(to, directory == null ? new byte[0] : directory);
  }

  private void attach(HeldRows.Blocks to, byte[] directory) {
    blocks = to;
    held = new HeldRows(blocks, directory.length == 0 ? null : directory);
    added = new RowBuffer(held.nextArrival());
  }

  void add(byte[] key, long closes) {
    UnsafeRow row = new UnsafeRow(0);
    row.pointTo(key, Platform.BYTE_ARRAY_OFFSET, key.length);
    added.add(closes, row);
  }

  /** Takes off the keys of partitions that are complete at {@code clock}. */
  void release(long clock, Consumer<byte[]> closed) {
    flush();
    for (Run run : held.release(clock)) {
      for (; !run.isEmpty(); run.skip()) {
        closed.accept(run.row(0).getBytes());
      }
    }
    held.compact();
  }

  long due() {
    return held.due();
  }

  void save(Output to) {
    flush();
    byte[] directory = held.directory();
    to.bytes(directory == null ? new byte[0] : directory);
  }

  private void flush() {
    if (added.rows() > 0) {
      held.add(added.toRun(), added.rows());
      added = new RowBuffer(held.nextArrival());
    }
  }
}
