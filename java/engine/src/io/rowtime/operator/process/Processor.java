package io.rowtime.operator.process;

import io.rowtime.state.Rows;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;

/** Runs a function over the partitions of a task. */
interface Processor {
  /** The state of a partition. */
  interface Partition {
    /** Returns whether there is no state. */
    boolean isEmpty();

    /**
     * Returns the bound, in microseconds, at which to process the partition without a row, or {@link Long#MAX_VALUE}.
     */
    long due();

    void save(Output to);
  }

  /** Receives the rows that a function emits. */
  interface Emitter {
    /** @param values the values in Spark's internal form */
    void emit(byte[] key, long rowtime, Object[] values);
  }

  Partition create();

  Partition load(Input saved);

  /**
   * Processes the next rows of a partition, and its timers that are due.
   *
   * @param key the values of PARTITION BY, an UnsafeRow
   * @param which the numbers of its rows, in order
   * @param count how many entries of {@code which} are used
   * @param bound no later row is earlier; {@link Long#MAX_VALUE} after the last row
   * @throws FunctionFailure if the function fails
   */
  void process(Partition partition, byte[] key, Rows rows, int[] which, int count, long bound, Emitter out);

  /** Ends a batch. All rows passed in have been processed when it returns. */
  void finish();
}
