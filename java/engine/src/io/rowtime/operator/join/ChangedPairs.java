package io.rowtime.operator.join;

import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** The output of a batch of an updating join: pairs of rows, one of which may be missing, and how much more often the result has them. */
final class ChangedPairs {
  private KeptRow[] lefts = new KeptRow[64];
  private KeptRow[] rights = new KeptRow[64];
  private long[] changes = new long[64];
  private final boolean onlyAdds;
  private int count;

  /** @param onlyAdds whether pairs are only added; each is then returned as often as it is */
  ChangedPairs(boolean onlyAdds) {
    this.onlyAdds = onlyAdds;
  }

  /** Adds a pair, if the change is not 0. */
  void add(KeptRow left, KeptRow right, long change) {
    if (onlyAdds) {
      for (long i = 0; i < change; i++) {
        append(left, right, 1);
      }
    } else if (change != 0) {
      append(left, right, change);
    }
  }

  private void append(KeptRow left, KeptRow right, long change) {
    if (count == changes.length) {
      lefts = Arrays.copyOf(lefts, count * 2);
      rights = Arrays.copyOf(rights, count * 2);
      changes = Arrays.copyOf(changes, count * 2);
    }
    lefts[count] = left;
    rights[count] = right;
    changes[count++] = change;
  }

  /** Returns the columns of the left row, those of the right row, and the change. */
  Iterator<InternalRow> rows(RowJoiner joiner, UnsafeRow leftRow, UnsafeRow rightRow) {
    return new JoinedRows(joiner, count, i -> lefts[i] == null ? null : lefts[i].get(leftRow), i -> rights[i] == null ? null : rights[i].get(rightRow),
        changes, () -> {});
  }
}
