package io.rowtime.over;

import io.rowtime.operators.HeldRows;
import io.rowtime.operators.Run;
import io.rowtime.operators.RowBuffer;
import io.rowtime.over.values.Input;
import io.rowtime.over.values.Output;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/** Whole rows, in order, that wait until frames that look ahead are certain. */
final class Waiting {
  private final StructType schema;
  private final TimePlan plan;
  private HeldRows held;
  private long last = Long.MIN_VALUE;

  Waiting(StructType schema, TimePlan plan) {
    this.schema = schema;
    this.plan = plan;
  }

  void open(HeldRows.Blocks blocks, Input saved) {
    if (saved == null) {
      held = new HeldRows(blocks, null);
      return;
    }
    last = saved.fixed();
    byte[] directory = saved.bytes();
    held = new HeldRows(blocks, directory.length == 0 ? null : directory);
  }

  void attach(HeldRows.Blocks blocks) {
    held = new HeldRows(blocks, held.directory());
  }

  void save(Output to) {
    to.fixed(last);
    byte[] directory = held.directory();
    to.bytes(directory == null ? new byte[0] : directory);
  }

  boolean isEmpty() {
    return held.directory() == null;
  }

  long due() {
    return held.due();
  }

  /** Takes rows, and gives those that are certain, in the order in which they were taken. */
  Emission process(Rows rows, long clock) {
    Rows out = new Rows(schema.length());
    for (Run run : held.release(clock)) {
      for (; !run.isEmpty(); run.skip()) {
        add(out, run.row(schema.length()), run.release(), run.arrival());
      }
    }
    RowBuffer waiting = new RowBuffer(held.nextArrival());
    int[] order = rows.order();
    UnsafeRow row = rows.view();
    for (int i = 0; i < rows.count(); i++) {
      rows.get(order[i], row);
      // Never before an earlier row: what comes out is in the log's order.
      last = Math.max(last, release(row));
      if (last <= clock) {
        add(out, row, last, Long.MAX_VALUE);
        continue;
      }
      if (waiting.isFull()) {
        held.add(waiting.toRun(), waiting.rows());
        waiting = new RowBuffer(held.nextArrival());
      }
      waiting.add(last, row);
    }
    held.add(waiting.toRun(), waiting.rows());
    held.compact();
    return new Emission(out, out.order(), out.count(), null);
  }

  /** A frame is certain once the bound is behind its upper end, or the row's partition is complete. */
  private long release(UnsafeRow row) {
    long certain = row.getLong(plan.watermark) + plan.delay + 1;
    return plan.closes >= 0 ? Math.min(certain, row.getLong(plan.closes)) : certain;
  }

  private static void add(Rows to, UnsafeRow row, long release, long arrival) {
    to.add(row, release, arrival);
  }
}
