package io.rowtime.state;

import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * A streaming operator with state, as one task of a query runs it: it has one of them for each shuffle partition.
 *
 * <p>Everything that it keeps in memory can be made again from its state. That it stays in memory between two batches
 * ({@link TaskCache}) only saves reading.
 */
public interface TaskOperator {
  /** The value of {@link #due} where nothing is due. */
  long NEVER = Long.MAX_VALUE;

  /** Makes the operator of a task. */
  interface Factory extends Serializable {
    TaskOperator create();
  }

  /** Names all state that may be needed, always in the same order. */
  void declare(States states);

  /**
   * Begins, or goes on where the memory is gone.
   *
   * @param saved what {@link #save} gave after the batch before, or null at the beginning
   */
  void open(States states, byte[] saved);

  /** Goes on after a batch with what is in memory: only where the state lies is new. */
  void attach(States states);

  /**
   * Takes the rows of a batch; none if only the watermark has moved.
   *
   * @param rows each is valid until the next one is asked for
   * @param watermark of the query, in microseconds
   * @return the rows that come out, each valid until the next one is asked for; state is up to date before the first is
   */
  Iterator<InternalRow> process(Iterator<InternalRow> rows, long watermark);

  /** When there is something to do without a row, in microseconds of the watermark, or {@link #NEVER}. */
  long due();

  /** What {@link #open} needs beside the state; once after each batch. */
  byte[] save();
}
