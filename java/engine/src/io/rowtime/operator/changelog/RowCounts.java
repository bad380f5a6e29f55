package io.rowtime.operator.changelog;

import io.rowtime.operator.spec.FromChangelogSpec;
import io.rowtime.state.EntriesOperator;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.values.Input;
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
 * FROM_CHANGELOG of changes that have the whole row. A row is there as often as it has been added more often than retracted, in
 * whatever order its changes arrive.
 *
 * <p>State has an entry for each row that has not been added as often as retracted. A batch reads and writes those of its changes.
 */
final class RowCounts extends EntriesOperator {
  private static final long LAYOUT = 1;

  private final int width;
  private final UnsafeProjection columns;
  private final ChangeKind kind;
  /** The index of the column that says how often a change is added, or -1. */
  private final int added;
  private States.Entries entries;

  RowCounts(FromChangelogSpec spec, StructType schema) {
    super("rows", LAYOUT);
    width = spec.columns().size();
    columns = KeyColumns.of(spec.columns(), schema);
    kind = new ChangeKind(spec.op(), schema);
    added = spec.change() == null ? -1 : schema.fieldIndex(spec.change());
  }

  @Override protected void attach(States.Entries to) {
    entries = to;
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> rows, long watermark) {
    Map<ByteBuffer, Long> changes = new LinkedHashMap<>();
    while (rows.hasNext()) {
      UnsafeRow row = (UnsafeRow) rows.next();
      long change = kind.of(row) * (added < 0 ? 1 : row.getLong(added));
      if (change != 0) {
        changes.merge(ByteBuffer.wrap(Rows.bytes(columns.apply(row))), change, Long::sum);
      }
    }
    ChangedRows out = new ChangedRows(width);
    changes.forEach((row, change) -> apply(row.array(), change, out));
    return out.emit();
  }

  private void apply(byte[] row, long change, ChangedRows out) {
    if (change == 0) {
      return;
    }
    byte[] saved = entries.get(row);
    long before = saved == null ? 0 : new Input(saved).number();
    long after = before + change;
    if (after == 0) {
      entries.remove(row);
    } else {
      Output to = new Output();
      to.number(after);
      entries.put(row, to.toBytes());
    }
    out.add(row, Math.max(0, after) - Math.max(0, before));
  }
}
