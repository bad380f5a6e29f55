package io.rowtime.operator.filter;

import io.rowtime.operator.spec.TemporalFilterSpec;
import io.rowtime.state.TaskOperator;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** From when to when a row is there, in microseconds of the watermark. The row has the times after its own columns. */
final class Presence {
  private final int first;
  private final int entering;
  private final int end;
  private long enters;
  private long leaves;

  Presence(TemporalFilterSpec spec) {
    first = spec.columns().size();
    entering = first + spec.enters().size();
    end = entering + spec.leaves().size();
  }

  /** Reads the times of a row; returns whether it is ever there. */
  boolean read(UnsafeRow row) {
    enters = Long.MIN_VALUE;
    leaves = TaskOperator.NEVER;
    for (int i = first; i < end; i++) {
      if (row.isNullAt(i)) {
        return false;
      }
      if (i < entering) {
        enters = Math.max(enters, row.getLong(i));
      } else {
        leaves = Math.min(leaves, row.getLong(i));
      }
    }
    return enters < leaves;
  }

  /** Returns when the row enters. */
  long enters() {
    return enters;
  }

  /** Returns when the row leaves, or {@link TaskOperator#NEVER}. */
  long leaves() {
    return leaves;
  }

  boolean hasEntered(long clock) {
    return enters <= clock;
  }

  boolean hasLeft(long clock) {
    return leaves <= clock;
  }
}
