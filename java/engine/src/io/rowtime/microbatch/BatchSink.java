package io.rowtime.microbatch;

import io.rowtime.callbacks.Callbacks;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.streaming.Sink;

/** Passes micro-batches to the Python process. */
abstract class BatchSink implements Sink {
  private final BatchClock clock;
  private final BatchReceiver receiver;
  /** Closes the connection to Python of the thread that runs the query. */
  private volatile Runnable closing = () -> {};

  BatchSink(BatchClock clock, BatchReceiver receiver) {
    this.clock = clock;
    this.receiver = receiver;
  }

  @Override public final void addBatch(long batch, Dataset<Row> rows) {
    try {
      if (!rows.sparkSession().sparkContext().isLocal()) {
        receiver.check();
      }
      pass(batch, rows, receiver);
    } finally {
      closing = Callbacks.connectionOfThread();
    }
    // There may be more rows, and Spark may want a micro-batch without rows.
    clock.wake();
  }

  /** Must be called when the query has ended. */
  void close() {
    closing.run();
  }

  abstract void pass(long batch, Dataset<Row> rows, BatchReceiver receiver);

  @Override public String toString() {
    return "rowtime";
  }
}
