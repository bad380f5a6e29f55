package io.rowtime.operator.over;

import io.rowtime.operator.OutputBatch;
import io.rowtime.state.Blocks;
import io.rowtime.state.DelayedRows;
import io.rowtime.state.Rows;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/** Whole rows, in order, that wait until frames that look ahead are complete. */
final class PendingRows {
  private final StructType schema;
  private final TimePlan plan;
  private final DelayedRows delayed = new DelayedRows();
  private long last = Long.MIN_VALUE;

  PendingRows(StructType schema, TimePlan plan) {
    this.schema = schema;
    this.plan = plan;
  }

  void open(Blocks blocks, Input saved) {
    if (saved != null) {
      last = saved.fixedLong();
    }
    delayed.open(blocks, saved);
  }

  void attach(Blocks blocks) {
    delayed.attach(blocks);
  }

  void save(Output to) {
    to.fixedLong(last);
    delayed.save(to);
  }

  boolean isEmpty() {
    return delayed.isEmpty();
  }

  long due() {
    return delayed.due();
  }

  /** Adds rows, and returns those that are complete, in arrival order. */
  OutputBatch process(Rows rows, long clock) {
    Rows out = new Rows(schema.length());
    delayed.release(clock, run -> out.add(run.row(schema.length()), run.release(), run.arrival()));
    int[] order = rows.order();
    UnsafeRow row = rows.view();
    for (int i = 0; i < rows.count(); i++) {
      rows.get(order[i], row);
      // A row is never released before an earlier one, so the output is in the order of the log.
      last = Math.max(last, plan.complete(row));
      if (last <= clock) {
        out.add(row, last, Long.MAX_VALUE);
      } else {
        delayed.add(last, row);
      }
    }
    delayed.flush();
    return new OutputBatch(out, out.order(), out.count(), null);
  }
}
