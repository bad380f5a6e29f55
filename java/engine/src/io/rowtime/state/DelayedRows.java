package io.rowtime.state;

import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Rows that wait in state, each until its own release time. The rows that a batch adds are written together. */
public class DelayedRows {
  private HeldRows held;
  /** Rows that have been added but are not in state yet; null if there are none. */
  private RowBuffer added;

  /** @param saved positioned where {@link #save} started to write, or null */
  public void open(Blocks blocks, Input saved) {
    byte[] directory = saved == null ? new byte[0] : saved.bytes();
    held = new HeldRows(blocks, directory.length == 0 ? null : directory);
  }

  /** Sets the new location of the state. */
  public void attach(Blocks blocks) {
    held = new HeldRows(blocks, held.directory());
  }

  public void save(Output to) {
    put();
    byte[] directory = held.directory();
    to.bytes(directory == null ? new byte[0] : directory);
  }

  public boolean isEmpty() {
    return held.directory() == null;
  }

  /** Returns when the earliest row in state is due, in microseconds, or {@link TaskOperator#NEVER}. */
  public long due() {
    return held.due();
  }

  /** Returns the arrival number of the next row to be added. */
  public long nextArrival() {
    return held.nextArrival() + (added == null ? 0 : added.rows());
  }

  public void add(long release, UnsafeRow row) {
    if (added != null && added.isFull()) {
      put();
    }
    if (added == null) {
      added = new RowBuffer(held.nextArrival());
    }
    added.add(release, row);
  }

  /** Removes the rows due at {@code clock}; passes on each as the first row of a run. */
  public void release(long clock, Consumer<SortedRun> each) {
    put();
    for (SortedRun run : held.release(clock)) {
      for (; !run.isEmpty(); run.skip()) {
        each.accept(run);
      }
    }
  }

  /** Passes on each row as the first row of a run; all rows stay. */
  public void forEach(Consumer<SortedRun> each) {
    put();
    for (SortedRun run : held.all()) {
      for (; !run.isEmpty(); run.skip()) {
        each.accept(run);
      }
    }
  }

  /** Writes the added rows to state, and compacts the state. */
  public void flush() {
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
