package io.rowtime.lateness;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/**
 * Lets those rows of a micro-batch in that do not come too late.
 *
 * <p>A column's clock is the greatest threshold of the rows that were let in in earlier batches; a row behind the clock of
 * any column is late. Each task has a gate of its own, a copy of that of the query, which opens with the first row that
 * it sees and is closed with the task; what it has seen is for the gates of the next batch to read.
 */
public final class Gate implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * What does not change from batch to batch.
   *
   * @param columns that rows are judged by
   * @param thresholds the types of their thresholds
   * @param control whether control rows pass here, which move clocks and are never judged
   * @param clock which of the columns has the bound that the query goes by, or -1
   * @param shown the columns of late rows as they are set aside, under the names that they are shown by
   * @param required which of {@code shown} are NOT NULL, and have not been looked at yet
   * @param folder of the clocks, as a URI
   * @param aside folder for late rows, as a URI
   * @param node number of the plan node
   * @param nulls folder for rows that have NULL in a column of {@code required}, as a URI
   */
  record Setup(List<Judged> columns, StructType thresholds, boolean control, int clock, StructType shown,
      List<Integer> required, String folder, String aside, int node, String nulls) implements Serializable {}

  private final Setup setup;
  private transient Task task;
  private transient ClockFolder clocks;
  private transient Clocks after;
  /** What rows are held against, and what they move: one and the same where each row counts for the next. */
  private transient Clock[] judging;
  private transient Clock[] moving;
  private transient LateRows late;
  private transient LateRows nulls;

  Gate(Setup setup) {
    this.setup = setup;
  }

  Setup setup() {
    return setup;
  }

  /** To be called for each row before anything else is asked. */
  public void arrive() {
    if (task == null) {
      TaskContext context = TaskContext.get();
      open(Task.of(context));
      context.addTaskCompletionListener(ended -> {
        if (!ended.isFailed() && !ended.isInterrupted()) {
          close();
        }
      });
    }
  }

  /** Whether a row with this value comes too late by a column. */
  public boolean isLate(int column, long value) {
    return judging[column].isPast(value);
  }

  /** The same for values that Spark does not keep as {@code long}. */
  public boolean isLateValue(int column, Object value) {
    return judging[column].isPast(value);
  }

  /** Takes the threshold of a row into account that is let in. */
  public void move(int column, long threshold) {
    moving[column].move(threshold);
  }

  /** The same for values that Spark does not keep as {@code long}. */
  public void moveValue(int column, Object threshold) {
    moving[column].move(threshold);
  }

  /** Sets a row aside that is too late by a column. */
  public void refuse(int column, InternalRow row) {
    late.add(row, setup.columns.get(column).reason());
  }

  /** Sets a row aside that has NULL where it must not. */
  public void refuseNull(int required, InternalRow row) {
    String name = setup.shown.apply(setup.required.get(required)).name();
    nulls.add(row, name + ": NULL in a column that is NOT NULL");
  }

  void open(Task of) {
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
    judging = new Clock[setup.columns.size()];
    moving = new Clock[judging.length];
    for (int i = 0; i < judging.length; i++) {
      moving[i] = after.get(i);
      judging[i] = setup.columns.get(i).eachRow() ? moving[i] : before.get(i);
    }
    late = new LateRows(setup.shown);
    nulls = new LateRows(setup.shown);
  }

  /** Writes down how far the task has come, and what it has refused. */
  void close() {
    Object bound = setup.clock < 0 ? null : after.get(setup.clock).get();
    clocks.write(task, !setup.control, bound == null ? null : Math.floorDiv((long) bound, 1000L), after);
    late.save(setup.aside, setup.node, task);
    nulls.save(setup.nulls, setup.node, task);
  }
}
