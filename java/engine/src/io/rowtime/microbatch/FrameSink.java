package io.rowtime.microbatch;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.streaming.sources.ForeachBatchSink;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/** Passes micro-batches as DataFrames, to targets that Spark writes. */
final class FrameSink extends BatchSink {
  private final ForeachBatchSink<Row> sink;

  FrameSink(Dataset<Row> rows, BatchClock clock, BatchReceiver receiver) {
    super(clock, receiver);
    sink = new ForeachBatchSink<>(new Function(receiver),
        ((org.apache.spark.sql.classic.Dataset<Row>) rows).exprEnc());
  }

  @Override void pass(long batch, Dataset<Row> rows, BatchReceiver receiver) {
    sink.addBatch(batch, rows);
  }

  private static final class Function extends AbstractFunction2<Dataset<Row>, Object, BoxedUnit> {
    private final BatchReceiver receiver;

    Function(BatchReceiver receiver) {
      this.receiver = receiver;
    }

    @Override public BoxedUnit apply(Dataset<Row> rows, Object batch) {
      receiver.takeFrame((Long) batch, rows);
      return BoxedUnit.UNIT;
    }
  }
}
