package io.rowtime.operator.filter;

import io.rowtime.operator.changelog.ChangedRows;
import io.rowtime.operator.spec.TemporalFilterSpec;
import io.rowtime.state.DelayedRows;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.States;
import io.rowtime.state.TaskOperator;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Layout;
import io.rowtime.state.values.Output;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * A temporal filter of rows that are only added. State has the rows that have not left, by the time at which they enter or leave next; a
 * batch writes those that arrive, and reads those that enter or leave.
 */
final class AddedRows implements TaskOperator {
  private static final long LAYOUT = 1;
  private static final String ROWS = "rows";

  private final UnsafeProjection kept;
  private final int width;
  private final Presence presence;
  private final DelayedRows waiting = new DelayedRows();

  AddedRows(TemporalFilterSpec spec, StructType schema) {
    kept = KeyColumns.of(TemporalFilterOperator.kept(spec), schema);
    width = TemporalFilterOperator.kept(spec).size();
    presence = new Presence(spec);
  }

  @Override public void declare(States states) {
    states.blocks(ROWS);
  }

  @Override public void open(States states, byte[] saved) {
    Input from = saved == null ? null : new Input(saved);
    if (from != null) {
      Layout.check(from.number(), LAYOUT);
    }
    waiting.open(states.blocks(ROWS), from);
  }

  @Override public void attach(States states) {
    waiting.attach(states.blocks(ROWS));
  }

  @Override public byte[] save() {
    Output to = new Output();
    to.number(LAYOUT);
    waiting.save(to);
    return to.toBytes();
  }

  @Override public long due() {
    return waiting.due();
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> rows, long watermark) {
    ChangedRows out = new ChangedRows(width);
    waiting.release(watermark, run -> {
      UnsafeRow row = run.row(width);
      presence.read(row);
      if (run.release() >= presence.leaves()) {
        out.add(row, -1);
      } else {
        arrived(row, watermark, out);
      }
    });
    while (rows.hasNext()) {
      UnsafeRow row = kept.apply(rows.next());
      if (presence.read(row)) {
        arrived(row, watermark, out);
      }
    }
    waiting.flush();
    return out.emit();
  }

  /** Adds a row that has not entered before. */
  private void arrived(UnsafeRow row, long watermark, ChangedRows out) {
    if (presence.hasLeft(watermark)) {
      return;
    }
    if (!presence.hasEntered(watermark)) {
      waiting.add(presence.enters(), row);
      return;
    }
    out.add(row, 1);
    if (presence.leaves() != NEVER) {
      waiting.add(presence.leaves(), row);
    }
  }
}
