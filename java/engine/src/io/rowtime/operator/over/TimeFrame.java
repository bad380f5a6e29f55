package io.rowtime.operator.over;

import io.rowtime.operator.AppliedCall;
import io.rowtime.operator.spec.Bound;
import io.rowtime.operator.spec.Window;
import io.rowtime.state.ChangedSlots;
import io.rowtime.state.Cursor;
import io.rowtime.state.RowLog;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Values;
import java.util.ArrayList;
import java.util.List;

/**
 * A RANGE frame over time, for all partition values at once: one cursor adds the rows of the log up to the frame's
 * upper end, another removes those that its lower end has passed.
 */
final class TimeFrame {
  /** When rows leave the frame. */
  enum Lower { BY_TIME, WHEN_CLOSED, NEVER }

  final Lower lower;
  final List<AppliedCall> calls = new ArrayList<>();
  final Cursor added = new Cursor();
  final Cursor removed = new Cursor();
  private final long from;
  private final boolean byArrival;
  private final long to;
  private final int closes;

  /** @param closes the index of the column with the time when a partition is complete, or -1 */
  TimeFrame(Window window, Lower lower, int closes) {
    this.lower = lower;
    this.from = window.lower().distance();
    this.byArrival = window.upper().kind() == Bound.Kind.CURRENT_ROW;
    this.to = window.upper().distance();
    this.closes = closes;
  }

  void grow(int slots) {
    for (AppliedCall call : calls) {
      call.aggregate.grow(slots);
    }
  }

  void clear(int slot) {
    for (AppliedCall call : calls) {
      call.aggregate.clear(slot);
    }
  }

  /** @param results receives the results of this frame's calls */
  void begin(int slots, int rows, Values[] results) {
    for (AppliedCall call : calls) {
      call.begin(slots, rows);
      results[call.output] = call.results;
    }
  }

  /** Evaluates the calls for {@code count} rows, starting at {@code at}. */
  void evaluate(RowLog log, Cursor at, int count, ChangedSlots touched) {
    for (int i = 0; i < count; i++) {
      at.ready(log);
      Chunk chunk = at.chunk;
      int row = at.row;
      long time = chunk.times[row];
      if (byArrival) {
        addThrough(log, at, touched);
      } else {
        addUntil(log, time + to, touched);
      }
      if (lower == Lower.BY_TIME) {
        removeBefore(log, time + from);
      }
      int slot = chunk.slots[row];
      for (AppliedCall call : calls) {
        call.aggregate.result(slot, chunk, row, call.results, i);
      }
      at.row++;
    }
  }

  private void addUntil(RowLog log, long time, ChangedSlots touched) {
    while (added.ready(log)) {
      Chunk chunk = added.chunk;
      int row = added.row;
      while (row < chunk.rows && chunk.times[row] <= time) {
        add(chunk, row++, touched);
      }
      added.row = row;
      if (row < chunk.rows) {
        return;
      }
    }
  }

  private void addThrough(RowLog log, Cursor at, ChangedSlots touched) {
    while (added.ready(log) && !at.isBefore(added)) {
      add(added.chunk, added.row++, touched);
    }
  }

  private void add(Chunk chunk, int row, ChangedSlots touched) {
    int slot = chunk.slots[row];
    for (AppliedCall call : calls) {
      call.add(slot, chunk, row);
    }
    if (lower == Lower.NEVER) {
      touched.add(slot);
    }
  }

  private void removeBefore(RowLog log, long time) {
    while (removed.ready(log) && removed.chunk.times[removed.row] < time && removed.isBefore(added)) {
      remove();
    }
  }

  /** Removes the rows of partitions that are complete at {@code clock}, from the start of the log. */
  void removeClosed(RowLog log, long clock) {
    while (removed.ready(log) && removed.isBefore(added)
        && removed.chunk.columns[closes].getLong(removed.row) <= clock) {
      remove();
    }
  }

  private void remove() {
    Chunk chunk = removed.chunk;
    int slot = chunk.slots[removed.row];
    for (AppliedCall call : calls) {
      call.remove(slot, chunk, removed.row);
    }
    removed.row++;
  }

  /** Rebuilds the memory after a restart, from the rows between the cursors. */
  void rebuild(RowLog log) {
    Cursor at = new Cursor();
    at.moveTo(removed);
    while (at.isBefore(added) && at.ready(log) && at.isBefore(added)) {
      int slot = at.chunk.slots[at.row];
      for (AppliedCall call : calls) {
        call.add(slot, at.chunk, at.row);
      }
      at.row++;
    }
  }
}
