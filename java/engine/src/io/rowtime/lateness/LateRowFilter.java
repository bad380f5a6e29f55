package io.rowtime.lateness;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/**
 * Removes late rows from a micro-batch.
 *
 * <p>A column's clock is the greatest threshold of the rows that passed in earlier batches. A row behind the clock of
 * any column is late. Each task has its own copy of the query's filter, which opens with its first row and closes when
 * the task ends. It records its clocks for the filters of the next batch.
 */
public final class LateRowFilter implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * The parameters of a filter, which are the same for all batches.
   *
   * @param columns the columns that decide which rows are late
   * @param thresholds the types of their thresholds
   * @param control whether the filter processes control rows, which advance clocks and are never late
   * @param clock the index of the column whose bound is the clock of the query, or -1
   * @param shown the columns of late rows that are set aside, under their user-visible names
   * @param required the columns of {@code shown} that are NOT NULL, but have not been checked yet
   * @param folder the folder of the clocks, as a URI
   * @param aside the folder for late rows, as a URI
   * @param node the state name of the plan node
   * @param nulls the folder for rows that have NULL in a column of {@code required}, as a URI
   */
  record Setup(List<LatenessColumn> columns, StructType thresholds, boolean control, int clock, StructType shown,
      List<Integer> required, String folder, String aside, String node, String nulls) implements Serializable {}

  private final Setup setup;
  private transient TaskId task;
  private transient ClockFolder clocks;
  private transient Clocks after;
  /**
   * The clocks that rows are compared with, and the clocks that rows advance. They are the same object if each row
   * counts for the next one.
   */
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

  /** Returns whether a row with this value is late by a column. */
  public boolean isLate(int column, long value) {
    return compared[column].isPast(value);
  }

  /** Does the same for values that Spark does not store as {@code long}. */
  public boolean isLateValue(int column, Object value) {
    return compared[column].isPast(value);
  }

  /** Advances a column's clock to the threshold of a row that is on time. */
  public void move(int column, long threshold) {
    advanced[column].move(threshold);
  }

  /** Does the same for values that Spark does not store as {@code long}. */
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

  /** Records the clocks of the task, and writes the rows that were set aside. */
  void close() {
    Object bound = setup.clock < 0 ? null : after.get(setup.clock).get();
    clocks.write(task, !setup.control, bound == null ? null : Math.floorDiv((long) bound, 1000L), after);
    late.save(setup.aside, setup.node, task);
    nulls.save(setup.nulls, setup.node, task);
  }
}
