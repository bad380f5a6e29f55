package io.rowtime.lateness;

import io.rowtime.operators.Run;
import io.rowtime.operators.RowBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructType;

/**
 * Lets those rows of a micro-batch through that do not come too late.
 *
 * <p>A column's clock is the greatest threshold of the rows that were let through in earlier batches; a row behind the
 * clock of any column is late. Control rows pass, and move clocks as other rows do.
 */
final class Judge implements MapPartitionsFunction<InternalRow, InternalRow> {
  private static final long serialVersionUID = 1L;

  /**
   * What does not change from batch to batch.
   *
   * @param control index of the column that is true for control rows, or -1
   * @param order index of the timestamp by which the rows of a batch are judged one after the other, or -1
   * @param clock which of the columns has the bound that the query goes by, or -1
   * @param names what the first columns are called, where late rows are shown
   * @param folder of the clocks, as a URI
   * @param aside folder for late rows, as a URI
   * @param node number of the plan node
   * @param required indexes of columns that are NOT NULL, and have not been looked at yet
   * @param nulls folder for rows that have NULL there, as a URI
   */
  record Setup(StructType schema, List<Judged> columns, int control, int order, int clock, List<String> names,
      String folder, String aside, int node, List<Integer> required, String nulls) implements java.io.Serializable {
    Clocks clocks() {
      StructType types = new StructType();
      for (Judged column : columns) {
        types = types.add(schema.apply(column.threshold()));
      }
      return new Clocks(types, columns);
    }
  }

  private final Setup setup;

  Judge(Setup setup) {
    this.setup = setup;
  }

  @Override public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
    return judge(rows, Task.current());
  }

  Iterator<InternalRow> judge(Iterator<InternalRow> rows, Task task) {
    return new Rows(setup.order < 0 ? rows : sorted(rows), task);
  }

  /** The rows of a batch by the order column, then as they came. */
  private Iterator<InternalRow> sorted(Iterator<InternalRow> rows) {
    UnsafeProjection binary = UnsafeProjection.create(setup.schema);
    List<Run> runs = new ArrayList<>();
    long arrived = 0;
    while (rows.hasNext()) {
      RowBuffer buffer = new RowBuffer(arrived);
      do {
        InternalRow row = rows.next();
        buffer.add(row.isNullAt(setup.order) ? Long.MIN_VALUE : row.getLong(setup.order), binary.apply(row));
      } while (rows.hasNext() && !buffer.isFull());
      arrived += buffer.rows();
      runs.add(buffer.toRun());
    }
    return Run.merge(runs, setup.schema.length());
  }

  private final class Rows implements Iterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final Task task;
    private final ClockFolder folder = new ClockFolder(setup.folder);
    private final Clocks before = setup.clocks();
    private final Clocks after = setup.clocks();
    private final Judged[] columns = setup.columns.toArray(Judged[]::new);
    private final int[] required = setup.required.stream().mapToInt(Integer::intValue).toArray();
    private final LateRows late = new LateRows(setup.schema, setup.names);
    private final LateRows nulls = new LateRows(setup.schema, setup.names);
    private boolean opened;
    private boolean ended;
    private boolean data;
    private boolean control;
    private InternalRow next;

    Rows(Iterator<InternalRow> rows, Task task) {
      this.rows = rows;
      this.task = task;
    }

    @Override public boolean hasNext() {
      if (!opened) {
        opened = true;
        open();
      }
      while (next == null && rows.hasNext()) {
        InternalRow row = rows.next();
        if (passes(row)) {
          next = row;
        }
      }
      if (next == null && !ended) {
        ended = true;
        close();
      }
      return next != null;
    }

    @Override public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      InternalRow row = next;
      next = null;
      return row;
    }

    private void open() {
      ClockFolder.Found found = folder.before(task.batch());
      for (String clocks : found.clocks()) {
        before.advance(clocks);
        after.advance(clocks);
      }
      folder.compact(task, found.bound(), before);
    }

    private boolean passes(InternalRow row) {
      if (setup.control >= 0 && row.getBoolean(setup.control)) {
        control = true;
      } else {
        data = true;
        for (int column : required) {
          if (row.isNullAt(column)) {
            nulls.add(row, setup.names.get(column) + ": NULL in a column that is NOT NULL");
            return false;
          }
        }
        for (int i = 0; i < columns.length; i++) {
          Judged column = columns[i];
          if ((column.eachRow() ? after : before).get(i).isPast(row, column.value())) {
            late.add(row, column.reason());
            return false;
          }
        }
      }
      for (int i = 0; i < columns.length; i++) {
        after.get(i).move(row, columns[i].threshold());
      }
      return true;
    }

    private void close() {
      if (data || control) {
        Object bound = setup.clock < 0 ? null : after.get(setup.clock).get();
        folder.write(task, data, bound == null ? null : Math.floorDiv((long) bound, 1000L), after);
      }
      late.save(setup.aside, setup.node, task);
      nulls.save(setup.nulls, setup.node, task);
    }
  }
}
