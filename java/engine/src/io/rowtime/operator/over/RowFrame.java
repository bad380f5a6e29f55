package io.rowtime.operator.over;

import io.rowtime.operator.AppliedCall;
import io.rowtime.operator.spec.Window;
import io.rowtime.state.values.Chunk;
import java.util.ArrayList;
import java.util.List;

/**
 * A ROWS frame: which rows of a partition value it contains follows from how many have arrived, and how many have been
 * emitted.
 */
final class RowFrame {
  final List<AppliedCall> calls = new ArrayList<>();
  /** Whether rows never leave the frame, and the state of calls is kept as values instead of rows. */
  final boolean saved;
  private final long from;
  private final long to;

  RowFrame(Window window, boolean saved) {
    this.saved = saved;
    this.from = window.lower().isUnbounded() ? Long.MIN_VALUE / 4 : window.lower().distance();
    this.to = window.upper().distance();
  }

  long following() {
    return Math.max(0, to);
  }

  /** Returns whether rows enter the frame as they arrive, and never leave. */
  boolean isDirect() {
    return saved && to == 0;
  }

  /**
   * Returns how many rows have entered when {@code seen} rows have arrived and {@code emitted} rows have been emitted.
   */
  long addedRows(long emitted, long seen) {
    return emitted == 0 ? 0 : Math.max(0, Math.min(seen, emitted + to));
  }

  long removedRows(long emitted, long seen) {
    return emitted == 0 || saved ? 0 : Math.max(0, Math.min(addedRows(emitted, seen), emitted - 1 + from));
  }

  /** Returns the first row that is needed later. */
  long firstNeeded(long emitted, long seen) {
    return saved ? addedRows(emitted, seen) : removedRows(emitted, seen);
  }

  /** Moves the frame to the row {@code row}, the next one after {@code row} rows have been emitted. */
  void moveTo(long row, KeyRows of, int slot) {
    for (long next = addedRows(row, of.arrivedCount()); next < addedRows(row + 1, of.arrivedCount()); next++) {
      for (AppliedCall call : calls) {
        call.add(slot, of.chunk(), of.at(next));
      }
    }
    for (long next = removedRows(row, of.arrivedCount()); next < removedRows(row + 1, of.arrivedCount()); next++) {
      for (AppliedCall call : calls) {
        call.remove(slot, of.chunk(), of.at(next));
      }
    }
  }

  /** Adds the rows in the frame again, after a restart. */
  void rebuild(KeyRows of, int slot) {
    for (long row = removedRows(of.emittedCount(), of.arrivedCount()); row < addedRows(of.emittedCount(), of.arrivedCount()) && !saved; row++) {
      for (AppliedCall call : calls) {
        call.add(slot, of.chunk(), of.at(row));
      }
    }
  }

  void add(int slot, Chunk chunk, int row) {
    for (AppliedCall call : calls) {
      call.add(slot, chunk, row);
    }
  }

  void result(int slot, Chunk chunk, int row, int at) {
    for (AppliedCall call : calls) {
      call.aggregate.result(slot, chunk, row, call.results, at);
    }
  }
}
