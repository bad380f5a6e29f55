package io.rowtime.state;

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
 * <p>The watermark, which is one batch behind, limits the rows that can still arrive, and so do the rows themselves if
 * they prove something; so few rows of a large batch have to wait.
 */
public final class ReorderBuffer {
  private final StructType schema;
  private final int time;
  private final int watermark;
  private final int closes;
  private final int seq;
  private final Long maxDisorder;
  private final Until until;
  private final UnsafeProjection binary;
  private final DelayedRows held = new DelayedRows();
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
   * @param watermark the same time in the domain of the query's watermark
   * @param seq orders rows of the same time; without it they stay in arrival order
   * @param closes the time at which the row's partition is complete, in the domain of the query's watermark
   */
  public record Columns(String time, String watermark, String seq, String closes) {}

  /**
   * @param maxDisorder how far rows of later batches can be below a row's watermark column; null if rows prove nothing
   */
  public ReorderBuffer(StructType schema, Columns columns, Long maxDisorder, Until until) {
    this.schema = schema;
    this.time = index(schema, columns.time);
    this.watermark = index(schema, columns.watermark);
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
    return held.due();
  }

  /** Returns the later of the watermark and of what rows have proved. */
  public long clock(long clock) {
    return Math.max(clock, proved);
  }

  /** Adds rows, and returns those that are certain now; updates {@link #clock}. */
  public Rows take(Iterator<InternalRow> input, long clock) {
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
      if (watermark >= 0) {
        newest = Math.max(newest, row.getLong(watermark));
      }
    }
    if (maxDisorder != null && newest != Long.MIN_VALUE) {
      proved = Math.max(proved, newest - maxDisorder);
    }
    if (until == Until.NOTHING) {
      return rows;
    }
    if (until == Until.CLOSED) {
      rows = takeClosed(rows, clock(clock));
    } else {
      hold(rows, clock(clock));
    }
    held.flush();
    return rows;
  }

  /** Removes the rows that have to wait. They are the last ones, because time orders rows as the watermark does. */
  private void hold(Rows rows, long clock) {
    release(rows, clock);
    int[] order = rows.order();
    UnsafeRow view = rows.view();
    int first = order.length;
    while (first > 0 && release(rows.get(order[first - 1], view)) > clock) {
      first--;
    }
    for (int i = first; i < order.length; i++) {
      hold(rows.get(order[i], view));
    }
    rows.leaveOut(order.length - first);
  }

  /** Returns the rows whose partitions are complete, which may be any. */
  private Rows takeClosed(Rows rows, long clock) {
    Rows due = new Rows(schema.length());
    long arrival = held.nextArrival();
    release(due, clock);
    UnsafeRow view = rows.view();
    for (int i = 0; i < rows.count(); i++) {
      UnsafeRow row = rows.get(i, view);
      if (release(row) <= clock) {
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

  private void release(Rows to, long clock) {
    held.release(clock, run -> add(to, run.row(schema.length()), run.arrival()));
  }

  public void add(Rows to, UnsafeRow row, long arrival) {
    to.add(row, time < 0 ? 0 : row.getLong(time), seq < 0 ? arrival : row.getLong(seq));
  }

  private long release(UnsafeRow row) {
    return until == Until.CLOSED ? row.getLong(closes)
        // All peers have arrived when the bound is after the row's time.
        : row.getLong(watermark) + (until == Until.PEERS ? 1 : 0);
  }
}
