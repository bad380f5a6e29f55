package io.rowtime.operator.process;

import io.rowtime.state.Rows;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;

/** Runs the code of a function over the partitions of a task. */
interface Processor {
  /** What is kept of a partition from batch to batch. */
  interface Partition {
    /** Whether nothing is kept. */
    boolean isEmpty();

    /** The bound, in microseconds, at which there is something to do without a row, or {@link Long#MAX_VALUE}. */
    long due();

    void save(Output to);
  }

  /** Takes the rows that a function emits. */
  interface Emitter {
    /** @param values as Spark has them inside */
    void emit(byte[] key, long rowtime, Object[] values);
  }

  Partition create();

  Partition load(Input saved);

  /**
   * Takes the next rows of a partition, and what is due without a row.
   *
   * @param key the values of PARTITION BY, an UnsafeRow
   * @param which numbers of its rows, in order
   * @param count how many of {@code which} count
   * @param bound no later row is earlier; {@link Long#MAX_VALUE} if there is none
   * @throws FunctionFailure if the function fails
   */
  void process(Partition partition, byte[] key, Rows rows, int[] which, int count, long bound, Emitter out);

  /** Ends a batch: everything that was given has been processed when it returns. */
  void finish();
}
