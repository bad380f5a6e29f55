package io.rowtime.operator.filter;

import io.rowtime.operator.changelog.ChangedRows;
import io.rowtime.operator.spec.TemporalFilterSpec;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.KeyTimers;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.TaskOperator;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Layout;
import io.rowtime.state.values.Output;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * A temporal filter of rows that can be retracted.
 *
 * <p>State has how often each row is there that has still to enter or to leave, and a timer for the next of these times. A row that has
 * left has been retracted from the result, so its own retraction changes nothing; one that never leaves passes once it has entered.
 */
final class ChangedRowCounts implements TaskOperator {
  private static final long LAYOUT = 1;
  private static final String ROWS = "rows";
  private static final String TIMES = "times";

  /** How often a row is there, and how often it is in the result. The timer of a row in the result is for when it leaves. */
  private record Count(long rows, long shown, boolean entered) {
    static Count of(byte[] saved) {
      if (saved == null) {
        return new Count(0, 0, false);
      }
      Input from = new Input(saved);
      return new Count(from.number(), from.number(), from.number() == 1);
    }

    byte[] toBytes() {
      Output to = new Output();
      to.number(rows);
      to.number(shown);
      to.number(entered ? 1 : 0);
      return to.toBytes();
    }
  }

  private final UnsafeProjection kept;
  private final int change;
  private final UnsafeRow view;
  private final int width;
  private final Presence presence;
  private final KeyTimers timers = new KeyTimers();
  private States.Entries entries;

  ChangedRowCounts(TemporalFilterSpec spec, StructType schema) {
    kept = KeyColumns.of(TemporalFilterOperator.kept(spec), schema);
    change = schema.fieldIndex(spec.change());
    width = TemporalFilterOperator.kept(spec).size();
    view = new UnsafeRow(width);
    presence = new Presence(spec);
  }

  @Override public void declare(States states) {
    states.entries(ROWS);
    states.blocks(TIMES);
  }

  @Override public void open(States states, byte[] saved) {
    Input from = saved == null ? null : new Input(saved);
    if (from != null) {
      Layout.check(from.number(), LAYOUT);
    }
    timers.open(states.blocks(TIMES), from);
    entries = states.entries(ROWS);
  }

  @Override public void attach(States states) {
    timers.attach(states.blocks(TIMES));
    entries = states.entries(ROWS);
  }

  @Override public byte[] save() {
    Output to = new Output();
    to.number(LAYOUT);
    timers.save(to);
    return to.toBytes();
  }

  @Override public long due() {
    return timers.due();
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> rows, long watermark) {
    Map<ByteBuffer, Long> changes = new LinkedHashMap<>();
    timers.close(watermark, (row, time) -> changes.put(ByteBuffer.wrap(row), 0L));
    while (rows.hasNext()) {
      UnsafeRow row = (UnsafeRow) rows.next();
      long times = row.getLong(change);
      changes.merge(ByteBuffer.wrap(Rows.bytes(kept.apply(row))), times, Long::sum);
    }
    ChangedRows out = new ChangedRows(width);
    changes.forEach((row, times) -> apply(row.array(), times, watermark, out));
    timers.flush();
    return out.emit();
  }

  private void apply(byte[] row, long times, long watermark, ChangedRows out) {
    view.pointTo(row, row.length);
    if (!presence.read(view)) {
      return;
    }
    byte[] saved = entries.get(row);
    Count before = Count.of(saved);
    boolean left = presence.hasLeft(watermark);
    if (saved == null && left) {
      return;
    }
    boolean entered = presence.hasEntered(watermark);
    long rows = before.rows + times;
    long shown = entered && !left ? rows : 0;
    out.add(row, shown - before.shown);
    boolean over = left || entered && presence.leaves() == NEVER;
    if (over || rows == 0) {
      if (saved != null) {
        entries.remove(row);
      }
      return;
    }
    entries.put(row, new Count(rows, shown, entered).toBytes());
    if (saved == null || entered && !before.entered) {
      timers.add(row, entered ? presence.leaves() : presence.enters());
    }
  }
}
