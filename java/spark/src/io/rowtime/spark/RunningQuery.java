package io.rowtime.spark;

import java.util.UUID;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.streaming.runtime.MicroBatchExecution;
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution;

/** The query whose sources are asked for offsets or rows: Spark does not tell them. */
public final class RunningQuery {
  private RunningQuery() {}

  /** Returns the query that the current thread runs; null if it runs none. */
  public static MicroBatchExecution of(SparkSession spark) {
    String id = spark.sparkContext().getLocalProperty(StreamExecution.QUERY_ID_KEY());
    return id != null && spark.sharedState().activeStreamingQueries().get(UUID.fromString(id)) instanceof MicroBatchExecution query ? query : null;
  }
}
