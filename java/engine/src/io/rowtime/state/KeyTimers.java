package io.rowtime.state;

import java.util.function.ObjLongConsumer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/** The partition values that will be complete at some time, in state: each once, by that time. */
public final class KeyTimers extends DelayedRows {
  public void add(byte[] key, long closes) {
    UnsafeRow row = new UnsafeRow(0);
    row.pointTo(key, Platform.BYTE_ARRAY_OFFSET, key.length);
    add(closes, row);
  }

  /**
   * Removes the keys of partitions that are complete at {@code clock}; passes on each, with the time at which it was
   * complete.
   */
  public void close(long clock, ObjLongConsumer<byte[]> closed) {
    release(clock, run -> closed.accept(run.row(0).getBytes(), run.release()));
    flush();
  }
}
