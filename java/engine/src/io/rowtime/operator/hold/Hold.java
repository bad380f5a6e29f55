package io.rowtime.operator.hold;

import io.rowtime.state.HeldRows;
import io.rowtime.state.RowBuffer;
import io.rowtime.state.SortedRun;
import io.rowtime.state.States;
import io.rowtime.state.TaskOperator;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructType;

/**
 * A reorder buffer: keeps each row until the query's watermark reaches the row's release time.
 *
 * <p>Rows leave a task in order of (release, arrival). A row that is due when it arrives passes without touching state,
 * and so does a row without a release time. The output does not depend on how rows are distributed over tasks.
 */
final class Hold implements TaskOperator {
  private static final String HELD = "held";

  private final StructType schema;
  private final int release;
  /** Removes what follows a row's columns. */
  private final UnsafeProjection columns;
  private final boolean named;
  /** The columns of the rows that are held, if they have others than {@code schema}; else null. */
  private StructType earlier;
  private HeldRows held;

  /**
   * @param release the index of the release column, a timestamp
   * @param named whether held rows are saved with the names of their columns, so that a restart may have others: a row has NULL in
   *     columns that it did not have
   */
  Hold(StructType schema, int release, boolean named) {
    this.schema = schema;
    this.release = release;
    this.named = named;
    this.columns = UnsafeProjection.create(schema);
  }

  @Override public void declare(States states) {
    states.blocks(HELD);
  }

  @Override public void open(States states, byte[] saved) {
    SavedRows rows = SavedRows.of(saved);
    held = new HeldRows(states.blocks(HELD), rows.directory());
    earlier = rows.schema() == null || rows.schema().equals(schema) ? null : rows.schema();
  }

  @Override public void attach(States states) {
    held = new HeldRows(states.blocks(HELD), held.directory());
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> rows, long watermark) {
    if (earlier != null) {
      held.replace(earlier.length(), SavedRows.projection(earlier, schema)::apply);
      earlier = null;
    }
    List<SortedRun> out = held.release(watermark);
    while (rows.hasNext()) {
      RowBuffer buffer = new RowBuffer(held.nextArrival());
      do {
        InternalRow row = rows.next();
        buffer.add(row.isNullAt(release) ? Long.MIN_VALUE : row.getLong(release), columns.apply(row));
      } while (rows.hasNext() && !buffer.isFull());
      SortedRun run = buffer.toRun();
      out.add(run.cut(watermark));
      held.add(run, buffer.rows());
    }
    held.compact();
    return SortedRun.merge(out, schema.length());
  }

  @Override public long due() {
    return held.due();
  }

  @Override public byte[] save() {
    return new SavedRows(named ? schema : null, held.directory()).toBytes();
  }
}
