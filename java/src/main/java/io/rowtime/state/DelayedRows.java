package io.rowtime.state;

import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Rows that wait in state, each until a time of its own. Those that a batch adds are put there together. */
public class DelayedRows {
  private HeldRows held;
  /** What has been added and is not in state yet; null if that is nothing. */
  private RowBuffer added;

  /** @param saved to be read from where {@link #save} began to write, or null */
  public void open(Blocks blocks, Input saved) {
    byte[] directory = saved == null ? new byte[0] : saved.bytes();
    held = new HeldRows(blocks, directory.length == 0 ? null : directory);
  }

  /** Takes over where the state lies now. */
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

  /** When the earliest row in state is due, in microseconds, or {@link TaskOperator#NEVER}. */
  public long due() {
    return held.due();
  }

  /** The arrival of the next row to be added. */
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

  /** Takes off the rows due at {@code clock}: gives a run for each, in which it is the first. */
  public void release(long clock, Consumer<SortedRun> each) {
    put();
    for (SortedRun run : held.release(clock)) {
      for (; !run.isEmpty(); run.skip()) {
        each.accept(run);
      }
    }
  }

  /** Gives a run for each row, in which it is the first; all of them stay. */
  public void forEach(Consumer<SortedRun> each) {
    put();
    for (SortedRun run : held.all()) {
      for (; !run.isEmpty(); run.skip()) {
        each.accept(run);
      }
    }
  }

  /** Puts into state what has been added, and state in order. */
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
