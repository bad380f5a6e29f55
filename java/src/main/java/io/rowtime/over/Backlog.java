package io.rowtime.over;

import io.rowtime.operators.HeldRows;
import io.rowtime.operators.RowBuffer;
import io.rowtime.operators.Run;
import io.rowtime.over.values.Input;
import io.rowtime.over.values.Output;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Rows that wait in state, each until a time of its own. Those that a batch adds are put there together. */
class Backlog {
  private HeldRows held;
  /** What has been added and is not in state yet; null where that is nothing. */
  private RowBuffer added;

  /** @param saved to be read from where {@link #save} began to write, or null */
  void open(HeldRows.Blocks blocks, Input saved) {
    byte[] directory = saved == null ? new byte[0] : saved.bytes();
    held = new HeldRows(blocks, directory.length == 0 ? null : directory);
  }

  /** Takes over where the state lies now. */
  void attach(HeldRows.Blocks blocks) {
    held = new HeldRows(blocks, held.directory());
  }

  void save(Output to) {
    put();
    byte[] directory = held.directory();
    to.bytes(directory == null ? new byte[0] : directory);
  }

  boolean isEmpty() {
    return held.directory() == null;
  }

  /** When the earliest row in state is due, in microseconds, or {@link HeldRows#NOTHING}. */
  long due() {
    return held.due();
  }

  /** The arrival of the next row to be added. */
  long nextArrival() {
    return held.nextArrival() + (added == null ? 0 : added.rows());
  }

  void add(long release, UnsafeRow row) {
    if (added != null && added.isFull()) {
      put();
    }
    if (added == null) {
      added = new RowBuffer(held.nextArrival());
    }
    added.add(release, row);
  }

  /** Takes off the rows due at {@code clock}: gives a run for each, in which it is the first. */
  void release(long clock, Consumer<Run> each) {
    put();
    for (Run run : held.release(clock)) {
      for (; !run.isEmpty(); run.skip()) {
        each.accept(run);
      }
    }
  }

  /** Puts into state what has been added, and state in order. */
  void flush() {
    put();
    held.compact();
  }

  private void put() {
    if (added != null) {
      held.add(added.toRun(), added.rows());
      added = null;
    }
  }
}
