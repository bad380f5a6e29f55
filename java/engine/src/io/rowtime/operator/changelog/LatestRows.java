package io.rowtime.operator.changelog;

import io.rowtime.operator.spec.FromChangelogSpec;
import io.rowtime.state.EntriesOperator;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * FROM_CHANGELOG of changes by key: the latest change of a key gives its row, or says that there is none. A change that arrives again
 * after those that followed it, with all of them, changes nothing in the end.
 *
 * <p>State has the row of each key that has one. A batch reads and writes those of its changes.
 */
final class LatestRows extends EntriesOperator {
  private static final long LAYOUT = 1;

  /** The latest change of a key; the row is null if it is deleted. */
  private record Latest(long place, byte[] row) {}

  private final int width;
  private final UnsafeProjection columns;
  private final UnsafeProjection key;
  private final ChangeKind kind;
  /** The column by which changes are in order, or -1. */
  private final int order;
  private States.Entries entries;

  LatestRows(FromChangelogSpec spec, StructType schema) {
    super("rows", LAYOUT);
    width = spec.columns().size();
    columns = KeyColumns.of(spec.columns(), schema);
    key = KeyColumns.of(spec.key(), schema);
    kind = new ChangeKind(spec.op(), schema);
    order = spec.order() == null ? -1 : schema.fieldIndex(spec.order());
  }

  @Override protected void attach(States.Entries to) {
    entries = to;
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> rows, long watermark) {
    Map<ByteBuffer, Latest> changes = new LinkedHashMap<>();
    for (long arrived = 0; rows.hasNext(); arrived++) {
      UnsafeRow row = (UnsafeRow) rows.next();
      int change = kind.of(row);
      if (change != 0) {
        Latest own = new Latest(order < 0 ? arrived : row.getLong(order), change < 0 ? null : Rows.bytes(columns.apply(row)));
        changes.merge(ByteBuffer.wrap(Rows.bytes(key.apply(row))), own, (one, other) -> other.place >= one.place ? other : one);
      }
    }
    ChangedRows out = new ChangedRows(width);
    changes.forEach((of, latest) -> apply(of.array(), latest.row, out));
    return out.emit();
  }

  private void apply(byte[] of, byte[] row, ChangedRows out) {
    byte[] before = entries.get(of);
    if (Arrays.equals(before, row)) {
      return;
    }
    if (before != null) {
      out.add(before, -1);
    }
    if (row == null) {
      entries.remove(of);
    } else {
      entries.put(of, row);
      out.add(row, 1);
    }
  }
}
