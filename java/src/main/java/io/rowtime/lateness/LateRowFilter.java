package io.rowtime.lateness;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/**
 * Filters the late rows out of a micro-batch.
 *
 * <p>A column's clock is the greatest threshold of the rows that earlier batches have let through. A row behind the clock of
 * any column is late. Each task has its own copy of the query's filter, which opens with its first row and closes when the
 * task ends. It writes its clocks down for the filters of the next batch.
 */
public final class LateRowFilter implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * The parameters of a filter, which do not change from batch to batch.
   *
   * @param columns that decide which rows are late
   * @param thresholds the types of their thresholds
   * @param control whether control rows pass here, which advance clocks and are never late
   * @param clock which of the columns has the bound that the query goes by, or -1
   * @param shown the columns of late rows as they are set aside, under the names that they are shown by
   * @param required which of {@code shown} are NOT NULL, and have not been looked at yet
   * @param folder of the clocks, as a URI
   * @param aside folder for late rows, as a URI
   * @param node number of the plan node
   * @param nulls folder for rows that have NULL in a column of {@code required}, as a URI
   */
  record Setup(List<LatenessColumn> columns, StructType thresholds, boolean control, int clock, StructType shown,
      List<Integer> required, String folder, String aside, int node, String nulls) implements Serializable {}

  private final Setup setup;
  private transient TaskId task;
  private transient ClockFolder clocks;
  private transient Clocks after;
  /** The clocks that rows are compared with, and those that they advance. These are the same if each row counts for the next one. */
  private transient Clock[] compared;
  private transient Clock[] advanced;
  private transient LateRows late;
  private transient LateRows nulls;

  LateRowFilter(Setup setup) {
    this.setup = setup;
  }

  Setup setup() {
    return setup;
  }

  /** Must be called first for each row. */
  public void arrive() {
    if (task == null) {
      TaskContext context = TaskContext.get();
      open(TaskId.of(context));
      context.addTaskCompletionListener(ended -> {
        if (!ended.isFailed() && !ended.isInterrupted()) {
          close();
        }
      });
    }
  }

  /** Whether a row with this value is late by a column. */
  public boolean isLate(int column, long value) {
    return compared[column].isPast(value);
  }

  /** The same for values that Spark does not keep as {@code long}. */
  public boolean isLateValue(int column, Object value) {
    return compared[column].isPast(value);
  }

  /** Advances a column's clock to the threshold of a row that is in time. */
  public void move(int column, long threshold) {
    advanced[column].move(threshold);
  }

  /** The same for values that Spark does not keep as {@code long}. */
  public void moveValue(int column, Object threshold) {
    advanced[column].move(threshold);
  }

  /** Sets aside a row that is late by a column. */
  public void refuse(int column, InternalRow row) {
    late.add(row, setup.columns.get(column).reason());
  }

  /** Sets aside a row that has NULL in a column that is NOT NULL. */
  public void refuseNull(int required, InternalRow row) {
    String name = setup.shown.apply(setup.required.get(required)).name();
    nulls.add(row, name + ": NULL in a column that is NOT NULL");
  }

  void open(TaskId of) {
    task = of;
    clocks = new ClockFolder(setup.folder);
    Clocks before = new Clocks(setup.thresholds, setup.columns);
    after = new Clocks(setup.thresholds, setup.columns);
    ClockFolder.Found found = clocks.before(task.batch());
    for (String text : found.clocks()) {
      before.advance(text);
      after.advance(text);
    }
    clocks.compact(task, found.bound(), before);
    compared = new Clock[setup.columns.size()];
    advanced = new Clock[compared.length];
    for (int i = 0; i < compared.length; i++) {
      advanced[i] = after.get(i);
      compared[i] = setup.columns.get(i).eachRow() ? advanced[i] : before.get(i);
    }
    late = new LateRows(setup.shown);
    nulls = new LateRows(setup.shown);
  }

  /** Writes down the clocks of the task, and the rows that it has set aside. */
  void close() {
    Object bound = setup.clock < 0 ? null : after.get(setup.clock).get();
    clocks.write(task, !setup.control, bound == null ? null : Math.floorDiv((long) bound, 1000L), after);
    late.save(setup.aside, setup.node, task);
    nulls.save(setup.nulls, setup.node, task);
  }
}
