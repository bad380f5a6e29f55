package io.rowtime.operator.group;

import io.rowtime.operator.OutputBatch;
import io.rowtime.state.ChangedSlots;
import io.rowtime.state.Rows;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;

/** The groups that a micro-batch changes, with their results before it; makes the rows that say what has changed. */
final class ChangedGroups {
  private final UpdatingCalls calls;
  private final ChangedSlots slots = new ChangedSlots();
  private final int keyColumns;
  private final Values[] before;
  /** Whether a group had a result before, in the order of the slots. */
  private boolean[] existed = new boolean[64];

  private final Rows rows;
  private int[] which = new int[64];
  private int count;
  private final Values[] out;

  ChangedGroups(UpdatingCalls calls, int keyColumns) {
    this.calls = calls;
    this.keyColumns = keyColumns;
    before = calls.begin();
    rows = new Rows(keyColumns);
    out = new Values[before.length + 1];
    for (int i = 0; i < before.length; i++) {
      out[i] = new Values(before[i].type, 0);
    }
    out[before.length] = new Values(ValueType.of(DataTypes.LongType), 0);
  }

  boolean contains(int slot) {
    return slots.contains(slot);
  }

  /** Adds a group before its first change. */
  void add(int slot, boolean exists) {
    int at = slots.count();
    slots.add(slot);
    if (at == existed.length) {
      existed = Arrays.copyOf(existed, at * 2);
    }
    existed[at] = exists;
    if (exists) {
      calls.result(slot, at);
    }
  }

  /**
   * Makes the rows, after the last change.
   *
   * @param stays is asked once for each group after its result has been read: whether it has one now
   */
  void emit(KeySlots keys, IntPredicate stays) {
    Values[] after = calls.begin();
    UnsafeRow key = new UnsafeRow(keyColumns);
    for (int i = 0; i < slots.count(); i++) {
      int slot = slots.slot(i);
      byte[] bytes = keys.key(slot);
      calls.refresh(slot, bytes);
      calls.result(slot, i);
      key.pointTo(bytes, bytes.length);
      boolean remains = stays.test(slot);
      if (existed[i] && remains && isEqual(after, i) || !existed[i] && !remains) {
        continue;
      }
      int row = rows.add(key, 0, 0);
      if (existed[i]) {
        add(row, before, i, -1);
      }
      if (remains) {
        add(row, after, i, 1);
      }
    }
  }

  private boolean isEqual(Values[] after, int at) {
    for (int i = 0; i < after.length; i++) {
      if (before[i].compare(at, after[i], at) != 0) {
        return false;
      }
    }
    return true;
  }

  private void add(int row, Values[] results, int at, long change) {
    if (count == which.length) {
      which = Arrays.copyOf(which, count * 2);
    }
    which[count] = row;
    for (int i = 0; i < results.length; i++) {
      out[i].set(count, results[i], at);
    }
    out[results.length].setLong(count, change);
    count++;
  }

  /** Returns the rows: the keys, with the results of the calls and 1 for a row that is added, -1 for one that is retracted. */
  OutputBatch rows() {
    return new OutputBatch(rows, which, count, out);
  }
}
