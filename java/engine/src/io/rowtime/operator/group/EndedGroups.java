package io.rowtime.operator.group;

import io.rowtime.operator.OutputBatch;
import io.rowtime.state.Rows;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;

/** Builds a row for each group that has ended: its key, its start if groups have one, and the results of the calls. */
final class EndedGroups {
  private final GroupCalls calls;
  private final Rows rows;
  private final UnsafeRow view;
  private final Values starts;
  private final Values[] results;
  private boolean sorted = true;
  private long latest = Long.MIN_VALUE;

  /** @param started whether the first result is the start of a group */
  EndedGroups(int keyColumns, boolean started, GroupCalls calls, int slots) {
    this.calls = calls;
    rows = new Rows(keyColumns);
    view = new UnsafeRow(keyColumns);
    Values[] called = calls.begin(slots);
    starts = started ? new Values(ValueType.of(DataTypes.TimestampType), 0) : null;
    results = new Values[called.length + (started ? 1 : 0)];
    System.arraycopy(called, 0, results, started ? 1 : 0, called.length);
    if (started) {
      results[0] = starts;
    }
  }

  void add(byte[] key, int slot, long start, long end) {
    view.pointTo(key, key.length);
    int row = rows.add(view, end, rows.count());
    if (starts != null) {
      starts.setLong(row, start);
    }
    calls.result(slot, row);
    sorted &= end >= latest;
    latest = end;
  }

  /** Returns the rows; groups that ended first come first. */
  OutputBatch emit() {
    int[] order = rows.order();
    return new OutputBatch(rows, order, rows.count(), sorted ? results : sort(order));
  }

  private Values[] sort(int[] order) {
    Values[] moved = new Values[results.length];
    for (int column = 0; column < moved.length; column++) {
      moved[column] = new Values(results[column].type, order.length);
      for (int i = 0; i < order.length; i++) {
        moved[column].set(i, results[column], order[i]);
      }
    }
    return moved;
  }
}
