package io.rowtime.operator.over;

import io.rowtime.operator.AppliedCall;
import io.rowtime.operator.spec.Window;
import io.rowtime.state.values.Chunk;
import java.util.ArrayList;
import java.util.List;

/**
 * A ROWS frame: which rows of a partition value are in it follows from how many there are, and how many have come out.
 */
final class RowFrame {
  final List<AppliedCall> calls = new ArrayList<>();
  /** Whether no row leaves, and what calls need is kept as values and not as rows. */
  final boolean saved;
  private final long from;
  private final long to;

  RowFrame(Window window, boolean saved) {
    this.saved = saved;
    this.from = window.lower().isUnbounded() ? Long.MIN_VALUE / 4 : window.lower().distance();
    this.to = window.upper().distance();
  }

  long ahead() {
    return Math.max(0, to);
  }

  /** Whether rows go into the frame as they come, and stay. */
  boolean isDirect() {
    return saved && to == 0;
  }

  /** How many rows have entered, when of {@code seen} rows {@code emitted} have come out. */
  long added(long emitted, long seen) {
    return emitted == 0 ? 0 : Math.max(0, Math.min(seen, emitted + to));
  }

  long removed(long emitted, long seen) {
    return emitted == 0 || saved ? 0 : Math.max(0, Math.min(added(emitted, seen), emitted - 1 + from));
  }

  /** The first row that is needed later. */
  long needed(long emitted, long seen) {
    return saved ? added(emitted, seen) : removed(emitted, seen);
  }

  /** Moves the frame to the row {@code row}, the next one after {@code row} rows that have come out. */
  void moveTo(long row, KeyRows of, int slot) {
    for (long next = added(row, of.seen()); next < added(row + 1, of.seen()); next++) {
      for (AppliedCall call : calls) {
        call.add(slot, of.chunk(), of.at(next));
      }
    }
    for (long next = removed(row, of.seen()); next < removed(row + 1, of.seen()); next++) {
      for (AppliedCall call : calls) {
        call.remove(slot, of.chunk(), of.at(next));
      }
    }
  }

  /** Puts in again what is in the frame. */
  void rebuild(KeyRows of, int slot) {
    for (long row = removed(of.emitted(), of.seen()); row < added(of.emitted(), of.seen()) && !saved; row++) {
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
