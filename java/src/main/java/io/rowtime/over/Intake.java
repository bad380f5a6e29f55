package io.rowtime.over;

import io.rowtime.operators.HeldRows;
import io.rowtime.operators.Run;
import io.rowtime.operators.RowBuffer;
import io.rowtime.over.values.Input;
import io.rowtime.over.values.Output;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Brings rows into the order of (time, seq): holds those that a row of a later batch might precede.
 *
 * <p>What may still come is told by the watermark, which is a batch behind, and by the rows themselves where they prove
 * something; so of a large batch little has to wait.
 */
final class Intake {
  private final StructType schema;
  private final int time;
  private final int watermark;
  private final int closes;
  private final int seq;
  private final Long proves;
  private final Until until;
  private final UnsafeProjection binary;
  private HeldRows held;
  private HeldRows.Blocks blocks;
  private long proved = Long.MIN_VALUE;

  /** Until when rows wait. */
  enum Until {
    /** They do not: they come in order. */
    NOTHING,
    /** Until no earlier row can come. */
    TIME,
    /** Until all rows of their time are there. */
    PEERS,
    /** Until their partition is complete. */
    CLOSED
  }

  Intake(Spec spec, StructType schema, Until until) {
    this.schema = schema;
    this.time = spec.time() == null ? -1 : schema.fieldIndex(spec.time());
    this.watermark = spec.watermark() == null ? -1 : schema.fieldIndex(spec.watermark());
    this.closes = spec.closes() == null ? -1 : schema.fieldIndex(spec.closes());
    this.seq = spec.seq() == null ? -1 : schema.fieldIndex(spec.seq());
    this.proves = spec.proves();
    this.until = until;
    this.binary = UnsafeProjection.create(schema);
  }

  /** @param saved what {@link #save} gave, or null */
  void open(HeldRows.Blocks to, Input saved) {
    blocks = to;
    byte[] directory = null;
    if (saved != null) {
      proved = saved.fixed();
      byte[] bytes = saved.bytes();
      directory = bytes.length == 0 ? null : bytes;
    }
    held = new HeldRows(blocks, directory);
  }

  void attach(HeldRows.Blocks to) {
    blocks = to;
    held = new HeldRows(blocks, held.directory());
  }

  void save(Output to) {
    to.fixed(proved);
    byte[] directory = held.directory();
    to.bytes(directory == null ? new byte[0] : directory);
  }

  /** When a row that is held may come out, in microseconds of the watermark, or {@link HeldRows#NOTHING}. */
  long due() {
    return held.due();
  }

  /** The later of the watermark and of what rows have proved. */
  long clock(long clock) {
    return Math.max(clock, proved);
  }

  /** The rows that are certain now; {@link #clock} is up to date after this. */
  Rows take(Iterator<InternalRow> input, long clock) {
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
    if (proves != null && newest != Long.MIN_VALUE) {
      proved = Math.max(proved, newest - proves);
    }
    if (until == Until.NOTHING) {
      return rows;
    }
    if (until == Until.CLOSED) {
      rows = closed(rows, clock(clock));
    } else {
      hold(rows, clock(clock));
    }
    held.compact();
    return rows;
  }

  /** Leaves out the rows that have to wait: as times order rows as the watermark does, they come last. */
  private void hold(Rows rows, long clock) {
    release(rows, clock);
    int[] order = rows.order();
    UnsafeRow view = rows.view();
    int first = order.length;
    while (first > 0 && release(rows.get(order[first - 1], view)) > clock) {
      first--;
    }
    RowBuffer waiting = new RowBuffer(held.nextArrival());
    for (int i = first; i < order.length; i++) {
      waiting = add(waiting, rows.get(order[i], view));
    }
    held.add(waiting.toRun(), waiting.rows());
    rows.leaveOut(order.length - first);
  }

  /** The rows whose partitions are complete; these may be any. */
  private Rows closed(Rows rows, long clock) {
    Rows due = new Rows(schema.length());
    long arrival = held.nextArrival();
    release(due, clock);
    UnsafeRow view = rows.view();
    RowBuffer waiting = new RowBuffer(arrival);
    for (int i = 0; i < rows.count(); i++) {
      UnsafeRow row = rows.get(i, view);
      if (release(row) <= clock) {
        add(due, row, arrival + i);
      } else {
        waiting = add(waiting, row);
      }
    }
    held.add(waiting.toRun(), waiting.rows());
    return due;
  }

  private RowBuffer add(RowBuffer waiting, UnsafeRow row) {
    RowBuffer to = waiting;
    if (waiting.isFull()) {
      held.add(waiting.toRun(), waiting.rows());
      to = new RowBuffer(held.nextArrival());
    }
    to.add(release(row), row);
    return to;
  }

  private void release(Rows to, long clock) {
    for (Run run : held.release(clock)) {
      for (; !run.isEmpty(); run.skip()) {
        add(to, run.row(schema.length()), run.arrival());
      }
    }
  }

  void add(Rows to, UnsafeRow row, long arrival) {
    to.add(row, time < 0 ? 0 : row.getLong(time), seq < 0 ? arrival : row.getLong(seq));
  }

  private long release(UnsafeRow row) {
    return until == Until.CLOSED ? row.getLong(closes)
        // Peers are all there once the bound is behind the row's time.
        : row.getLong(watermark) + (until == Until.PEERS ? 1 : 0);
  }
}
