package io.rowtime.state;

import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * A streaming operator with state, for one task of a query: there is one per shuffle partition.
 *
 * <p>Everything that it keeps in memory can be rebuilt from its state. Keeping it in memory between two batches ({@link
 * TaskCache}) only saves reading.
 */
public interface TaskOperator {
  /** The value of {@link #due} if nothing is due. */
  long NEVER = Long.MAX_VALUE;

  /** Creates the operator of a task. */
  interface Factory extends Serializable {
    TaskOperator create();
  }

  /** Declares all state that may be needed, always in the same order. */
  void declare(States states);

  /**
   * Starts, or restores the memory from the state.
   *
   * @param saved the result of {@link #save} after the previous batch, or null at the beginning
   */
  void open(States states, byte[] saved);

  /** Continues after a batch with the same memory: only the location of the state is new. */
  void attach(States states);

  /**
   * Processes the rows of a batch; there are none if only the watermark has advanced.
   *
   * @param rows each row is valid until the next one is read
   * @param watermark the watermark of the query, in microseconds
   * @return the output rows, each valid until the next one is read; the state is written before the first is read
   */
  Iterator<InternalRow> process(Iterator<InternalRow> rows, long watermark);

  /** Returns when the operator has to run without a row, in microseconds of the watermark, or {@link #NEVER}. */
  long due();

  /** Returns the data that {@link #open} needs besides the state; called once after each batch. */
  byte[] save();
}
