package io.rowtime.operator.join;

import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Both inputs of a join: distributes the rows of a micro-batch to them, and keeps their state. */
final class JoinInputs {
  final JoinInput left;
  final JoinInput right;

  JoinInputs(JoinInput left, JoinInput right) {
    this.left = left;
    this.right = right;
  }

  void declare(States states) {
    left.declare(states);
    right.declare(states);
  }

  /** @param saved what {@link #save} wrote, or null if there is no state yet */
  void open(States states, Input saved) {
    left.open(states, saved);
    right.open(states, saved);
  }

  void attach(States states) {
    left.attach(states);
    right.attach(states);
  }

  void save(Output to) {
    left.save(to);
    right.save(to);
  }

  /** Adds the rows of a micro-batch, and sorts those before which no other row can arrive any more. */
  void take(Iterator<InternalRow> rows, long watermark) {
    while (rows.hasNext()) {
      UnsafeRow row = (UnsafeRow) rows.next();
      ((row.getInt(JoinInput.INPUT) & 1) == 0 ? left : right).take(row);
    }
    left.settle(watermark);
    right.settle(watermark);
  }

  /** Writes the changes of the micro-batch to state. The rows that have ended stay readable until {@link #trim}. */
  void finish() {
    left.finish();
    right.finish();
  }

  void trim() {
    left.trim();
    right.trim();
  }
}
