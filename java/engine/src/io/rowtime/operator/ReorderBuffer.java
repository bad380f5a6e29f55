package io.rowtime.operator;

import io.rowtime.operator.spec.BoundClock;
import io.rowtime.state.Blocks;
import io.rowtime.state.DelayedRows;
import io.rowtime.state.Rows;
import io.rowtime.state.TaskOperator;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Sorts rows by (time, seq): holds rows that a row of a later batch might precede.
 *
 * <p>The watermark limits the rows that can still arrive, and so do the rows themselves if they prove something; so few
 * rows of a large batch have to wait.
 */
public final class ReorderBuffer {
  private final StructType schema;
  private final int time;
  /** Null if no bound of {@link #time} follows from the watermark. */
  private final BoundClock clock;
  private final int closes;
  private final int seq;
  private final Long maxDisorder;
  private final Until until;
  private final UnsafeProjection binary;
  private final DelayedRows held = new DelayedRows();
  /** The least time of rows of later batches, as rows have proved; initially the least of all times. */
  private long proved = Long.MIN_VALUE;

  /** How long rows wait. */
  public enum Until {
    /** They do not wait: they arrive in order. */
    NOTHING,
    /** Until no earlier row can arrive. */
    TIME,
    /** Until all rows of the same time have arrived. */
    PEERS,
    /** Until their partition is complete. */
    CLOSED
  }

  /**
   * The columns that determine when a row may be emitted, and in what order; null for a column that does not exist.
   *
   * @param time the column that orders rows
   * @param seq orders rows of the same time; without it they stay in arrival order
   * @param closes the time at which the row's partition is complete, in the domain of the query's watermark
   */
  public record Columns(String time, String seq, String closes) {}

  /**
   * @param clock the function from the watermark to the bound of the rows' time; null if there is none
   * @param maxDisorder how far rows of later batches can be before a row; null if rows prove nothing
   */
  public ReorderBuffer(StructType schema, Columns columns, BoundClock clock, Long maxDisorder, Until until) {
    this.schema = schema;
    this.time = index(schema, columns.time);
    this.clock = clock;
    this.closes = index(schema, columns.closes);
    this.seq = index(schema, columns.seq);
    this.maxDisorder = maxDisorder;
    this.until = until;
    this.binary = UnsafeProjection.create(schema);
  }

  private static int index(StructType schema, String column) {
    return column == null ? -1 : schema.fieldIndex(column);
  }

  /** @param saved the data that {@link #save} wrote, or null */
  public void open(Blocks blocks, Input saved) {
    if (saved != null) {
      proved = saved.fixedLong();
    }
    held.open(blocks, saved);
  }

  public void attach(Blocks blocks) {
    held.attach(blocks);
  }

  public void save(Output to) {
    to.fixedLong(proved);
    held.save(to);
  }

  /**
   * Returns when a row that is held may be emitted, in microseconds of the watermark, or {@link TaskOperator#NEVER}.
   */
  public long due() {
    long due = held.due();
    return due == TaskOperator.NEVER || until == Until.CLOSED ? due : clock == null ? TaskOperator.NEVER : clock.reaches(due);
  }

  /** Returns the watermark, or the last one at which the bound is not past what rows have proved, if that is later. */
  public long watermark(long known) {
    return proved == Long.MIN_VALUE || clock == null ? known : Math.max(known, clock.last(proved));
  }

  /** Returns the least time of rows of later batches. */
  private long bound(long known) {
    return clock == null ? proved : Math.max(clock.at(known), proved);
  }

  /** Adds rows, and returns those that are certain now; updates {@link #watermark}. */
  public Rows take(Iterator<InternalRow> input, long known) {
    Rows rows = new Rows(schema.length());
    long arrival = held.nextArrival();
    long newest = Long.MIN_VALUE;
    while (input.hasNext()) {
      InternalRow next = input.next();
      UnsafeRow row = next instanceof UnsafeRow unsafe ? unsafe : binary.apply(next);
      if (row.numFields() != schema.length()) {
        throw new IllegalStateException("Rows of " + row.numFields() + " columns, not " + schema.length());
      }
      add(rows, row, arrival++);
      if (time >= 0) {
        newest = Math.max(newest, row.getLong(time));
      }
    }
    if (maxDisorder != null && newest != Long.MIN_VALUE) {
      proved = Math.max(proved, newest - maxDisorder);
    }
    if (until == Until.NOTHING) {
      return rows;
    }
    if (until == Until.CLOSED) {
      rows = takeClosed(rows, watermark(known));
    } else {
      hold(rows, bound(known));
    }
    held.flush();
    return rows;
  }

  /** Removes the rows that have to wait, which are the last ones. */
  private void hold(Rows rows, long bound) {
    release(rows, bound);
    int[] order = rows.order();
    UnsafeRow view = rows.view();
    int first = order.length;
    while (first > 0 && release(rows.get(order[first - 1], view)) > bound) {
      first--;
    }
    for (int i = first; i < order.length; i++) {
      hold(rows.get(order[i], view));
    }
    rows.hideLast(order.length - first);
  }

  /** Returns the rows whose partitions are complete, which may be any. */
  private Rows takeClosed(Rows rows, long known) {
    Rows due = new Rows(schema.length());
    long arrival = held.nextArrival();
    release(due, known);
    UnsafeRow view = rows.view();
    for (int i = 0; i < rows.count(); i++) {
      UnsafeRow row = rows.get(i, view);
      if (release(row) <= known) {
        add(due, row, arrival + i);
      } else {
        hold(row);
      }
    }
    return due;
  }

  private void hold(UnsafeRow row) {
    held.add(release(row), row);
  }

  private void release(Rows to, long until) {
    held.release(until, run -> add(to, run.row(schema.length()), run.arrival()));
  }

  public void add(Rows to, UnsafeRow row, long arrival) {
    to.add(row, time < 0 ? 0 : row.getLong(time), seq < 0 ? arrival : row.getLong(seq));
  }

  /** Returns the bound that releases a row; for a row that waits for its partition, the watermark. */
  private long release(UnsafeRow row) {
    return until == Until.CLOSED ? row.getLong(closes)
        // All peers have arrived when the bound is after the row's time.
        : row.getLong(time) + (until == Until.PEERS ? 1 : 0);
  }
}
