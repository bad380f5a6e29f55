package io.rowtime.over;

import io.rowtime.state.Blocks;
import io.rowtime.state.DelayedRows;
import io.rowtime.state.Rows;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/** Whole rows, in order, that wait until frames that look ahead are certain. */
final class Waiting {
  private final StructType schema;
  private final TimePlan plan;
  private final DelayedRows backlog = new DelayedRows();
  private long last = Long.MIN_VALUE;

  Waiting(StructType schema, TimePlan plan) {
    this.schema = schema;
    this.plan = plan;
  }

  void open(Blocks blocks, Input saved) {
    if (saved != null) {
      last = saved.fixed();
    }
    backlog.open(blocks, saved);
  }

  void attach(Blocks blocks) {
    backlog.attach(blocks);
  }

  void save(Output to) {
    to.fixed(last);
    backlog.save(to);
  }

  boolean isEmpty() {
    return backlog.isEmpty();
  }

  long due() {
    return backlog.due();
  }

  /** Takes rows, and gives those that are certain, in the order in which they were taken. */
  Emission process(Rows rows, long clock) {
    Rows out = new Rows(schema.length());
    backlog.release(clock, run -> out.add(run.row(schema.length()), run.release(), run.arrival()));
    int[] order = rows.order();
    UnsafeRow row = rows.view();
    for (int i = 0; i < rows.count(); i++) {
      rows.get(order[i], row);
      // Never before an earlier row: what comes out is in the log's order.
      last = Math.max(last, release(row));
      if (last <= clock) {
        out.add(row, last, Long.MAX_VALUE);
      } else {
        backlog.add(last, row);
      }
    }
    backlog.flush();
    return new Emission(out, out.order(), out.count(), null);
  }

  /** A frame is certain once the bound is behind its upper end, or the row's partition is complete. */
  private long release(UnsafeRow row) {
    long certain = row.getLong(plan.watermark) + plan.delay + 1;
    return plan.closes >= 0 ? Math.min(certain, row.getLong(plan.closes)) : certain;
  }
}
