package io.rowtime.operator.over;

import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.Stage;
import io.rowtime.state.ChangedSlots;
import io.rowtime.state.KeyTimers;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.Values;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * Evaluates frames that count rows, and functions of single rows of a partition: LAG, LEAD, ranks. Each partition value
 * has a record in state: the last rows, as far as frames look back or wait, and a few values. A batch writes the
 * records that it has changed at its end.
 */
final class RowStage implements Stage {
  /** The number of partition values in memory; the others are only in state. */
  private static final int IN_MEMORY = 1 << 16;

  private final RowPlan plan;
  private final ChangedSlots touched = new ChangedSlots();
  private final KeyTimers closings;
  private KeySlots keys = new KeySlots();
  private final List<KeyRows> rows = new ArrayList<>();
  private States.Entries entries;
  private Pending pending;

  RowStage(RowPlan plan) {
    this.plan = plan;
    this.closings = plan.closes >= 0 ? new KeyTimers() : null;
  }

  @Override public void declare(States states) {
    states.entries("values");
    if (closings != null) {
      states.blocks("closings");
    }
  }

  @Override public void open(States states, Input saved) {
    entries = states.entries("values");
    if (closings != null) {
      closings.open(states.blocks("closings"), saved);
    }
  }

  @Override public void attach(States states) {
    entries = states.entries("values");
    if (closings != null) {
      closings.attach(states.blocks("closings"));
    }
  }

  @Override public void save(Output to) {
    if (closings != null) {
      closings.save(to);
    }
  }

  @Override public long due() {
    return closings == null ? NEVER : closings.due();
  }

  @Override public OutputBatch process(Rows input, long clock) {
    Chunk batch = project(input);
    for (RowFrame frame : plan.frames) {
      frame.calls.forEach(call -> call.begin(keys.slots(), batch.rows));
    }
    int[] order = plan.hasFurtherOrder() ? plan.order(batch) : null;
    pending = new Pending(plan);
    UnsafeRow view = input.view();
    for (int i = 0; i < batch.rows; i++) {
      int row = order == null ? i : order[i];
      take(batch, row, plan.following == 0 ? null : input.get(input.order()[row], view));
    }
    if (closings != null) {
      closings.close(clock, (key, end) -> close(key));
    }
    OutputBatch out = plan.following == 0 ? new OutputBatch(input, input.order(), batch.rows, results())
        : pending.toBatch(results());
    pending = null;
    write();
    return out;
  }

  private Values[] results() {
    Values[] results = new Values[plan.outputs];
    for (RowFrame frame : plan.frames) {
      frame.calls.forEach(call -> results[call.output] = call.results);
    }
    return results;
  }

  private Chunk project(Rows input) {
    Chunk batch = new Chunk(plan.columns.types(), input.count());
    int[] order = input.order();
    UnsafeRow row = input.view();
    for (int i = 0; i < input.count(); i++) {
      input.get(order[i], row);
      int slot = keys.slot(plan.key.apply(row));
      if (keys.created() && !open(slot) && closings != null) {
        closings.add(keys.key(slot), plan.emitted(row));
      }
      plan.columns.read(row, batch, batch.add(input.time(order[i]), slot));
    }
    return batch;
  }

  /** @param whole the row itself, if rows wait */
  private void take(Chunk batch, int row, UnsafeRow whole) {
    int slot = batch.slots[row];
    KeyRows of = rows.get(slot);
    touched.add(slot);
    if (!plan.keeps) {
      of.pass();
      for (RowFrame frame : plan.frames) {
        frame.add(slot, batch, row);
        frame.result(slot, batch, row, row);
      }
      return;
    }
    int at = of.add(batch.times[row], slot);
    for (int i = 0; i < batch.columns.length; i++) {
      of.chunk().columns[i].set(at, batch.columns[i], row);
    }
    if (whole != null) {
      of.chunk().columns[batch.columns.length].setObject(at, whole.getBytes());
    }
    while (of.emittedCount() + plan.following < of.arrivedCount()) {
      emit(of, slot, plan.following == 0 ? row : pending.add(of));
    }
  }

  /** Evaluates the next row of a partition value, and writes its results to position {@code to}. */
  private void emit(KeyRows of, int slot, int to) {
    long row = of.emittedCount();
    for (RowFrame frame : plan.frames) {
      frame.moveTo(row, of, slot);
      frame.result(slot, of.chunk(), of.at(row), to);
    }
    of.emit();
    long needed = of.emittedCount();
    for (RowFrame frame : plan.frames) {
      needed = Math.min(needed, frame.firstNeeded(of.emittedCount(), of.arrivedCount()));
    }
    of.forget(needed);
  }

  /** Emits the waiting rows of a partition that is complete, and drops its state. */
  private void close(byte[] key) {
    int slot = keys.slot(key);
    if (keys.created()) {
      open(slot);
      plan.frames.forEach(frame -> frame.calls.forEach(call -> call.aggregate.grow(keys.slots())));
    }
    KeyRows of = rows.get(slot);
    while (of.emittedCount() < of.arrivedCount()) {
      emit(of, slot, pending.add(of));
    }
    of.remove(pieces(key));
    entries.remove(key);
    touched.remove(slot);
    free(slot);
  }

  /** Opens a partition value; returns whether it has state. */
  private boolean open(int slot) {
    byte[] key = keys.key(slot);
    byte[] record = entries.get(key);
    plan.frames.forEach(frame -> frame.calls.forEach(call -> {
      call.aggregate.grow(keys.slots());
      call.aggregate.clear(slot);
    }));
    while (rows.size() <= slot) {
      rows.add(null);
    }
    if (record == null) {
      rows.set(slot, new KeyRows(plan.types()));
      return false;
    }
    Input from = new Input(record);
    KeyRows of = KeyRows.load(plan.types(), from, number -> entries.get(piece(key, number)), slot);
    rows.set(slot, of);
    plan.saved.forEach(frame -> frame.calls.forEach(call -> call.aggregate.load(slot, from)));
    plan.frames.forEach(frame -> frame.rebuild(of, slot));
    return true;
  }

  private void write() {
    for (int i = 0; i < touched.count(); i++) {
      int slot = touched.slot(i);
      if (!touched.contains(slot)) {
        continue;
      }
      byte[] key = keys.key(slot);
      Output to = new Output();
      rows.get(slot).save(to, pieces(key));
      plan.saved.forEach(frame -> frame.calls.forEach(call -> call.aggregate.save(slot, to)));
      entries.put(key, to.toBytes());
    }
    touched.clear();
    if (keys.size() > IN_MEMORY) {
      for (int slot = 0; slot < keys.slots(); slot++) {
        if (keys.key(slot) != null) {
          free(slot);
        }
      }
    }
  }

  private void free(int slot) {
    plan.frames.forEach(frame -> frame.calls.forEach(call -> call.aggregate.clear(slot)));
    rows.set(slot, null);
    keys.free(slot);
  }

  private KeyRows.Pieces pieces(byte[] key) {
    return new KeyRows.Pieces() {
      @Override public void put(long number, byte[] piece) {
        entries.put(piece(key, number), piece);
      }

      @Override public void remove(long number) {
        entries.remove(piece(key, number));
      }
    };
  }

  /**
   * The length of a partition value is a multiple of eight; a suffix of another length therefore makes the key
   * different from any partition value.
   */
  private static byte[] piece(byte[] key, long number) {
    return ByteBuffer.allocate(key.length + 9).put(key).putLong(number).put((byte) 0).array();
  }

  /** Rows that have waited and are emitted now. */
  private static final class Pending {
    private final Rows rows;
    private final int time;
    private final int seq;
    private final int row;
    private final UnsafeRow view;

    Pending(RowPlan plan) {
      rows = new Rows(plan.schema.length());
      view = rows.view();
      time = plan.time;
      seq = plan.seq;
      row = plan.types().length - 1;
    }

    /** Adds the next row of a partition value; returns the index of its results. */
    int add(KeyRows of) {
      byte[] bytes = (byte[]) of.chunk().columns[row].getObject(of.at(of.emittedCount()));
      view.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
      return rows.add(view, view.getLong(time), seq < 0 ? rows.count() : view.getLong(seq));
    }

    /** Returns the rows in order of (time, seq). */
    OutputBatch toBatch(Values[] results) {
      int[] order = rows.order();
      Values[] sorted = new Values[results.length];
      for (int i = 0; i < results.length; i++) {
        sorted[i] = new Values(results[i].type, order.length);
        for (int n = 0; n < order.length; n++) {
          sorted[i].set(n, results[i], order[n]);
        }
      }
      return new OutputBatch(rows, order, order.length, sorted);
    }
  }
}
