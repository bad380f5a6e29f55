package io.rowtime.operator.over;

import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.Stage;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.operator.spec.Window;
import io.rowtime.state.Cursor;
import io.rowtime.state.RowLog;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Evaluates RANGE frames over time: one log of the rows of all partition values, read by cursors.
 *
 * <p>Memory contains a number for each partition value, the aggregates, and the chunks at the cursors; all of it can be
 * rebuilt from the log. If a frame looks ahead, rows wait as a whole, outside the log.
 */
final class TimeStage implements Stage {
  private final TimePlan plan;
  private final PendingRows pending;
  private KeySlots keys;
  private SavedFrames saved;
  private RowLog log;
  private Cursor emitted;
  private Cursor retired;
  /** The number of rows of each slot in the log. */
  private int[] live = new int[64];
  private long expires = Long.MIN_VALUE;
  private States states;

  TimeStage(OverSpec spec, List<Window> windows, List<String> outputs, StructType schema) {
    this.plan = new TimePlan(spec, windows, outputs, schema);
    this.pending = plan.delay > 0 ? new PendingRows(schema, plan) : null;
  }

  @Override public void declare(States to) {
    to.blocks("log");
    if (pending != null) {
      to.blocks("pending");
    }
    new SavedFrames(plan).declare(to);
  }

  @Override public void open(States to, Input from) {
    states = to;
    saved = new SavedFrames(plan);
    reset();
    if (pending != null) {
      pending.open(to.blocks("pending"), from);
    }
    saved.open(to, from);
    if (from != null) {
      expires = from.fixedLong();
      log.load(from);
      emitted.load(from);
      for (TimeFrame frame : plan.frames) {
        frame.added.load(from);
        frame.removed.load(from);
      }
      rebuild();
    }
  }

  private void reset() {
    for (int slot = 0; keys != null && slot < keys.slots(); slot++) {
      int gone = slot;
      plan.frames.forEach(frame -> frame.clear(gone));
    }
    keys = new KeySlots();
    log = new RowLog(plan.columns.types(), keys, key -> openSlot(keys.slot(key)));
    log.attach(states.blocks("log"));
    emitted = new Cursor();
    retired = new Cursor();
    Arrays.fill(live, 0);
    for (TimeFrame frame : plan.frames) {
      frame.added.moveTo(emitted);
      frame.removed.moveTo(emitted);
    }
  }

  @Override public void attach(States to) {
    states = to;
    log.attach(to.blocks("log"));
    saved.attach(to);
    if (pending != null) {
      pending.attach(to.blocks("pending"));
    }
  }

  @Override public void save(Output to) {
    if (pending != null) {
      pending.save(to);
    }
    saved.save(to);
    to.fixedLong(expires);
    log.save(to);
    emitted.save(to);
    for (TimeFrame frame : plan.frames) {
      frame.added.save(to);
      frame.removed.save(to);
    }
  }

  private void rebuild() {
    retired.moveTo(firstNeeded());
    Cursor at = new Cursor();
    at.moveTo(retired);
    for (; at.ready(log); at.row++) {
      count(at.chunk.slots[at.row]);
    }
    for (TimeFrame frame : plan.frames) {
      frame.grow(keys.slots());
      frame.rebuild(log);
    }
    log.finish(cursors());
  }

  @Override public OutputBatch process(Rows rows, long clock) {
    if (rows.count() > 0) {
      log.append(project(rows));
    } else if (plan.expires && clock > expires && (pending == null || pending.isEmpty())) {
      dropLog();
    }
    OutputBatch out = pending == null ? new OutputBatch(rows, rows.order(), rows.count(), null)
        : pending.process(rows, clock);
    Values[] results = new Values[plan.outputs];
    Cursor at = new Cursor();
    for (TimeFrame frame : plan.frames) {
      frame.begin(keys.slots(), out.count(), results);
      at.moveTo(emitted);
      frame.evaluate(log, at, out.count(), saved.touched);
      if (frame.lower == TimeFrame.Lower.WHEN_CLOSED) {
        frame.removeClosed(log, clock);
      }
    }
    emitted.moveTo(at);
    retire();
    saved.write(keys);
    saved.close(clock, key -> forget(keys.find(key)));
    log.finish(cursors());
    return new OutputBatch(out.rows(), out.which(), out.count(), results);
  }

  /** Drops the log, when no future row can have any of its rows in a frame. */
  private void dropLog() {
    log.clear();
    long end = log.end();
    reset();
    log.startAt(end, cursors());
  }

  private Chunk project(Rows rows) {
    Chunk chunk = new Chunk(plan.columns.types(), rows.count());
    int[] order = rows.order();
    UnsafeRow row = rows.view();
    for (int i = 0; i < rows.count(); i++) {
      rows.get(order[i], row);
      int slot = openSlot(keys.slot(plan.key.apply(row)));
      count(slot);
      plan.columns.read(row, chunk, chunk.add(rows.time(order[i]), slot));
      if (saved.created()) {
        saved.announce(keys.key(slot), row);
      }
    }
    if (rows.count() > 0 && plan.expires) {
      expires = Math.max(expires, plan.expires(rows.get(order[rows.count() - 1], row)));
    }
    return chunk;
  }

  /** Opens a slot; one that is new in memory may have state. */
  private int openSlot(int slot) {
    saved.open(slot, keys);
    return slot;
  }

  private void count(int slot) {
    if (slot >= live.length) {
      live = Arrays.copyOf(live, slot * 2);
    }
    live[slot]++;
  }

  /** Drops the partition values whose last row all cursors have passed. */
  private void retire() {
    Cursor needed = firstNeeded();
    List<Integer> empty = new ArrayList<>();
    while (retired.isBefore(needed) && retired.ready(log) && retired.isBefore(needed)) {
      int slot = retired.chunk.slots[retired.row++];
      if (--live[slot] == 0) {
        empty.add(slot);
      }
    }
    if (saved.isEmpty()) {
      empty.forEach(this::forget);
    } else if (keys.size() > SavedFrames.inMemory) {
      saved.write(keys);
      for (int slot = 0; slot < keys.slots(); slot++) {
        forget(slot);
      }
    }
  }

  private void forget(int slot) {
    if (slot >= 0 && keys.key(slot) != null && (slot >= live.length || live[slot] == 0)) {
      plan.frames.forEach(frame -> frame.clear(slot));
      keys.free(slot);
    }
  }

  private Cursor firstNeeded() {
    Cursor first = emitted;
    for (TimeFrame frame : plan.frames) {
      Cursor cursor = frame.lower == TimeFrame.Lower.NEVER ? frame.added : frame.removed;
      first = cursor.isBefore(first) ? cursor : first;
    }
    return first;
  }

  private List<Cursor> cursors() {
    List<Cursor> cursors = new ArrayList<>(List.of(emitted, retired));
    for (TimeFrame frame : plan.frames) {
      if (frame.lower == TimeFrame.Lower.NEVER) {
        frame.removed.moveTo(frame.added);
      }
      cursors.add(frame.added);
      cursors.add(frame.removed);
    }
    return cursors;
  }

  @Override public long due() {
    long due = pending == null ? NEVER : pending.due();
    if (plan.expires && !log.isEmpty() && (pending == null || pending.isEmpty())) {
      due = Math.min(due, expires + 1);
    }
    return Math.min(due, saved.due());
  }
}
