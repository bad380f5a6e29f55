package io.rowtime.operator.join;

import io.rowtime.state.values.KeySlots;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The rows that a task has sent to a join for which duplicates count once; each task has its own copy. It reduces the
 * number of duplicates that are shuffled; it does not find all of them, because its memory is limited.
 */
final class SeenRows implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The maximum number of different rows in memory. */
  private static final int MAX_ROWS = 1 << 17;
  /**
   * The number of rows after which it is decided whether checking pays off: at least one of eight must be a duplicate.
   */
  private static final int TRIAL_ROWS = 1 << 15;

  private transient KeySlots rows;
  private transient int count;
  private transient boolean idle;

  /** Returns whether the task has had no equal row before, as far as it knows. */
  boolean isFirst(UnsafeRow row) {
    if (idle) {
      return true;
    }
    if (rows == null || rows.size() >= MAX_ROWS) {
      rows = new KeySlots();
    }
    rows.slot(row.getBaseObject(), row.getBaseOffset(), row.getSizeInBytes());
    boolean first = rows.created();
    if (++count == TRIAL_ROWS && rows.size() > TRIAL_ROWS - TRIAL_ROWS / 8) {
      // There are too few duplicates.
      idle = true;
      rows = null;
    }
    return first;
  }
}
