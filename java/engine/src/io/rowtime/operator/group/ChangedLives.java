package io.rowtime.operator.group;

import io.rowtime.operator.OutputBatch;
import io.rowtime.state.Rows;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;

/** What a micro-batch changes of the lives of groups. The rows of a group are in the order of its lives. */
final class ChangedLives {
  private final UpdatingCalls calls;
  private final Rows rows;
  private final UnsafeRow view;
  /** Results of groups at some time; a result is named by its place. */
  private final Values[] results;
  private int count;
  private final Values[] out;

  ChangedLives(UpdatingCalls calls, int keyColumns) {
    this.calls = calls;
    rows = new Rows(keyColumns);
    view = new UnsafeRow(keyColumns);
    results = calls.begin();
    out = new Values[results.length + 1];
    for (int i = 0; i < results.length; i++) {
      out[i] = new Values(results[i].type, 0);
    }
    out[results.length] = new Values(ValueType.of(DataTypes.LongType), 0);
  }

  /** Keeps the result that a group has now, and returns its place. */
  int result(int slot) {
    calls.result(slot, count);
    return count++;
  }

  /**
   * Makes the rows of a life that changes.
   *
   * @param before the place of its result before, or -1 if the life has begun
   * @param after the place of its result after
   */
  void emit(byte[] key, int before, int after) {
    if (before >= 0 && isEqual(before, after)) {
      return;
    }
    view.pointTo(key, key.length);
    if (before >= 0) {
      add(before, -1);
    }
    add(after, 1);
  }

  private boolean isEqual(int before, int after) {
    return Arrays.stream(results).allMatch(values -> values.compare(before, values, after) == 0);
  }

  private void add(int place, long change) {
    int row = rows.add(view, 0, 0);
    for (int i = 0; i < results.length; i++) {
      out[i].set(row, results[i], place);
    }
    out[results.length].setLong(row, change);
  }

  /** Returns the rows: the keys, the results of the calls, and 1 for a row that is added, -1 for one that is retracted. */
  OutputBatch rows() {
    int[] which = new int[rows.count()];
    Arrays.setAll(which, i -> i);
    return new OutputBatch(rows, which, which.length, out);
  }
}
