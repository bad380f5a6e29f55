package io.rowtime.microbatch;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import scala.Option;
import scala.collection.immutable.Map$;

/** Starts streaming queries whose micro-batches the Python process takes. */
public final class MicroBatchQueries {
  /** Spark waits for an interval's end; the clock decides when that is. */
  private static final String INTERVAL = "1 day";
  private static final String POLLING_DELAY = SQLConf.STREAMING_POLLING_DELAY().key();
  private static final List<Running> RUNNING = new CopyOnWriteArrayList<>();

  private MicroBatchQueries() {}

  /**
   * Starts a query whose micro-batches are passed as rows: pickles (see {@link PickleFormat}).
   *
   * @param checkpoint the folder of Spark's checkpoint
   * @param logs the folders of the logs that it reads
   * @param file a file of this query for the rows of large micro-batches
   */
  public static StreamingQuery startRows(Dataset<Row> rows, String checkpoint, List<String> logs, String file,
      BatchReceiver receiver) throws TimeoutException {
    boolean binaryAsBytes = ((SparkSession) rows.sparkSession()).sessionState().conf().pysparkBinaryAsBytes();
    return start(rows, checkpoint, logs, clock -> new CollectingSink(new PickleFormat(binaryAsBytes), Path.of(file),
        clock, receiver));
  }

  /** Starts a query whose micro-batches are passed as a stream of Arrow's. */
  public static StreamingQuery startArrow(Dataset<Row> rows, String checkpoint, List<String> logs, String file,
      BatchReceiver receiver) throws TimeoutException {
    return start(rows, checkpoint, logs, clock -> new CollectingSink(new ArrowFormat(), Path.of(file), clock, receiver));
  }

  /** Starts a query whose micro-batches are passed as DataFrames. */
  public static StreamingQuery startFrames(Dataset<Row> rows, String checkpoint, List<String> logs,
      BatchReceiver receiver) throws TimeoutException {
    return start(rows, checkpoint, logs, clock -> new FrameSink(rows, clock, receiver));
  }

  /** Waits until all rows that have arrived so far are processed. */
  public static void processAllAvailable(StreamingQuery query) {
    BatchClock clock = RUNNING.stream().filter(each -> each.query.runId().equals(query.runId())).map(Running::clock)
        .findAny().orElse(null);
    if (clock == null) {
      query.processAllAvailable();
      return;
    }
    clock.beginWait();
    try {
      query.processAllAvailable();
    } finally {
      clock.endWait();
    }
  }

  /** Ends a query. */
  public static void stop(StreamingQuery query) throws TimeoutException {
    query.stop();
    removeEnded();
  }

  /** Says that there is a new commit of the log in a folder. */
  public static void committed(String log) {
    for (Running each : RUNNING) {
      if (each.logs.contains(log)) {
        each.clock.wake();
      }
    }
  }

  private static StreamingQuery start(Dataset<Row> rows, String checkpoint, List<String> logs,
      Function<BatchClock, BatchSink> sink) throws TimeoutException {
    removeEnded();
    SparkSession spark = (SparkSession) rows.sparkSession();
    SQLConf settings = spark.sessionState().conf();
    BatchClock clock = new BatchClock(new FolderScans(spark)::list);
    BatchSink receiving = sink.apply(clock);
    String delay = settings.getConfString(POLLING_DELAY);
    // The clock waits instead.
    settings.setConfString(POLLING_DELAY, "0");
    try {
      StreamingQuery query = spark.streams().startQuery(Option.empty(), Option.empty(), Option.apply(checkpoint),
          (org.apache.spark.sql.classic.Dataset<Row>) rows, Map$.MODULE$.empty(), receiving,
          OutputMode.Append(), false, true, Trigger.ProcessingTime(INTERVAL), clock, Option.empty(), Option.empty());
      RUNNING.add(new Running(query, clock, receiving, Set.copyOf(logs)));
      return query;
    } finally {
      settings.setConfString(POLLING_DELAY, delay);
    }
  }

  private static void removeEnded() {
    List<Running> ended = RUNNING.stream().filter(each -> !each.query.isActive()).toList();
    RUNNING.removeAll(ended);
    ended.forEach(each -> each.sink.close());
  }

  private record Running(StreamingQuery query, BatchClock clock, BatchSink sink, Set<String> logs) {}
}
