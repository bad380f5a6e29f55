package io.rowtime.operator.group;

import io.rowtime.operator.AppliedCall;
import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.ProjectedColumns;
import io.rowtime.operator.Stage;
import io.rowtime.operator.spec.BoundClock;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.HopSpec;
import io.rowtime.state.Cursor;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.RowLog;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * GROUP BY over hopping windows: a frame that moves from window to window over the log of rows. Each row enters the
 * frame once and leaves it once, however many windows contain it. When the bound has reached the end of a window, the
 * stage emits a row for each key that has rows in the window.
 */
final class HopStage implements Stage {
  /** The name of the column with the start of the window. */
  static final String START = "rowtime_start";

  private final HopSpec hop;
  private final BoundClock clock;
  private final UnsafeProjection key;
  private final int keyColumns;
  private final ProjectedColumns columns;
  private final List<AppliedCall> calls = new ArrayList<>();
  private final Cursor added = new Cursor();
  private final Cursor removed = new Cursor();
  private final KeySlots keys = new KeySlots();
  private RowLog log;
  /** The number of rows of each slot in the log, and in the frame. */
  private int[] rows = new int[64];
  private int[] inFrame = new int[64];
  /** The slots that have rows in the frame, in any order, and the position of each slot in that list. */
  private int[] present = new int[64];
  private int[] place = new int[64];
  private int presents;
  /** The end of the next window, if there are rows in the frame. */
  private long next;

  HopStage(HopSpec spec, StructType schema) {
    hop = spec;
    clock = spec.boundClock();
    key = KeyColumns.of(spec.keys(), schema);
    keyColumns = spec.keys().size();
    columns = new ProjectedColumns(schema);
    for (Call call : spec.calls()) {
      calls.add(AppliedCall.of(call, columns, calls.size() + 1, true, true, List.of()));
    }
  }

  @Override public void declare(States to) {
    to.blocks("log");
  }

  @Override public void open(States to, Input from) {
    log = new RowLog(columns.types(), keys, bytes -> grown(keys.slot(bytes)));
    log.attach(to.blocks("log"));
    if (from != null) {
      next = from.fixedLong();
      log.load(from);
      added.load(from);
      removed.load(from);
      rebuild();
    }
  }

  @Override public void attach(States to) {
    log.attach(to.blocks("log"));
  }

  @Override public void save(Output to) {
    to.fixedLong(next);
    log.save(to);
    added.save(to);
    removed.save(to);
  }

  /** Rebuilds the memory from the rows of the log. */
  private void rebuild() {
    Cursor at = new Cursor();
    at.moveTo(removed);
    for (; at.ready(log); at.row++) {
      int slot = at.chunk.slots[at.row];
      rows[slot]++;
      if (at.isBefore(added)) {
        enter(at.chunk, at.row);
      }
    }
    log.finish(List.of(added, removed));
  }

  @Override public OutputBatch process(Rows arrived, long clock) {
    if (arrived.count() > 0) {
      log.append(project(arrived));
    }
    long bound = this.clock.at(clock);
    Windows out = new Windows();
    while (presents > 0 || added.ready(log)) {
      long end = presents > 0 ? next : firstEnd();
      if (end > bound) {
        break;
      }
      move(end, out);
      out.add(end - hop.size());
      next = end + hop.slide();
    }
    log.finish(List.of(added, removed));
    return new OutputBatch(out.keyRows, out.which, out.count, out.results);
  }

  /** Returns the end of the first window that can contain a row that has not entered the frame yet. */
  private long firstEnd() {
    long time = added.chunk.times[added.row];
    long phase = hop.offset() + hop.size();
    return Math.floorDiv(time - phase, hop.slide()) * hop.slide() + phase + hop.slide();
  }

  /** Moves the frame to the window with this end. */
  private void move(long end, Windows out) {
    while (added.ready(log) && added.chunk.times[added.row] < end) {
      enter(added.chunk, added.row++);
    }
    while (removed.ready(log) && removed.isBefore(added) && removed.chunk.times[removed.row] < end - hop.size()) {
      leave(removed.chunk, removed.row++, out);
    }
  }

  private Chunk project(Rows arrived) {
    Chunk chunk = new Chunk(columns.types(), arrived.count());
    int[] order = arrived.order();
    UnsafeRow row = arrived.view();
    for (int i = 0; i < arrived.count(); i++) {
      arrived.get(order[i], row);
      int slot = grown(keys.slot(key.apply(row)));
      rows[slot]++;
      columns.read(row, chunk, chunk.add(arrived.time(order[i]), slot));
    }
    return chunk;
  }

  private int grown(int slot) {
    if (slot >= rows.length) {
      rows = Arrays.copyOf(rows, slot * 2);
      inFrame = Arrays.copyOf(inFrame, slot * 2);
      present = Arrays.copyOf(present, slot * 2);
      place = Arrays.copyOf(place, slot * 2);
    }
    return slot;
  }

  private void enter(Chunk from, int row) {
    int slot = from.slots[row];
    for (AppliedCall call : calls) {
      call.aggregate.grow(slot + 1);
      call.add(slot, from, row);
    }
    if (inFrame[slot]++ == 0) {
      place[slot] = presents;
      present[presents++] = slot;
    }
  }

  private void leave(Chunk from, int row, Windows out) {
    int slot = from.slots[row];
    for (AppliedCall call : calls) {
      call.remove(slot, from, row);
    }
    if (--inFrame[slot] == 0) {
      int last = present[--presents];
      present[place[slot]] = last;
      place[last] = place[slot];
    }
    if (--rows[slot] == 0) {
      calls.forEach(call -> call.aggregate.clear(slot));
      keys.free(slot);
      out.forget(slot);
    }
  }

  @Override public long due() {
    if (presents == 0 && !added.ready(log)) {
      return NEVER;
    }
    return clock.reaches(presents > 0 ? next : firstEnd());
  }

  /** The output of windows: their start, and the results of the calls, for each key. */
  private final class Windows {
    private final Rows keyRows = new Rows(keyColumns);
    private final Values[] results = new Values[calls.size() + 1];
    private final UnsafeRow view = new UnsafeRow(keyColumns);
    private int[] which = new int[64];
    /** The row of {@code keyRows} for each slot, plus 1. */
    private int[] rowOf = new int[keys.slots()];
    private int count;

    Windows() {
      results[0] = new Values(ValueType.of(DataTypes.TimestampType), 0);
      for (AppliedCall call : calls) {
        call.begin(keys.slots(), 0);
        results[call.output] = call.results;
      }
    }

    void add(long start) {
      for (int i = 0; i < presents; i++) {
        int slot = present[i];
        if (count == which.length) {
          which = Arrays.copyOf(which, count * 2);
        }
        results[0].setLong(count, start);
        for (AppliedCall call : calls) {
          call.aggregate.result(slot, null, 0, call.results, count);
        }
        which[count++] = row(slot);
      }
    }

    private int row(int slot) {
      if (slot >= rowOf.length) {
        rowOf = Arrays.copyOf(rowOf, slot * 2);
      }
      if (rowOf[slot] == 0) {
        byte[] bytes = keys.key(slot);
        view.pointTo(bytes, bytes.length);
        rowOf[slot] = keyRows.add(view, 0, 0) + 1;
      }
      return rowOf[slot] - 1;
    }

    /** A slot may be reused for another key. */
    void forget(int slot) {
      if (slot < rowOf.length) {
        rowOf[slot] = 0;
      }
    }
  }
}
