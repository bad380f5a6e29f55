package io.rowtime.log;

import io.rowtime.spark.RunningQuery;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.streaming.runtime.IncrementalExecution;
import org.apache.spark.sql.execution.streaming.runtime.MicroBatchExecution;
import org.apache.spark.sql.execution.streaming.runtime.StreamingExecutionRelation;
import org.apache.spark.sql.execution.streaming.runtime.WatermarkTracker;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Sets the watermark of a micro-batch to that of its own rows. Spark derives the watermark from the rows that a
 * micro-batch has read, and uses it in the next one, so a result would take two micro-batches. The commits of a log
 * contain its bound, so it is known before any row is read. The watermark is the least bound of all logs of the query;
 * it is the one that Spark would derive after the micro-batch.
 */
final class BatchWatermark {
  private final SparkSession spark;

  BatchWatermark(SparkSession spark) {
    this.spark = spark;
  }

  /** Must be called on the query's thread, while Spark asks the sources for their latest offsets. */
  void advance() {
    MicroBatchExecution query = RunningQuery.of(spark);
    if (query != null) {
      advance(query);
    }
  }

  private static void advance(MicroBatchExecution query) {
    WatermarkTracker tracker = query.watermarkTracker();
    long least = least(query.logicalPlan());
    if (tracker == null || least == Long.MAX_VALUE || least <= tracker.currentWatermark()) {
      return;
    }
    tracker.setWatermark(least);
    IncrementalExecution last = query.lastExecution();
    if (last != null) {
      // Spark has simulated the next micro-batch with the previous watermark, and would reject another one.
      last.watermarkPropagator().purge(Long.MAX_VALUE);
    }
  }

  /** Returns the least watermark of all logs below; MAX_VALUE if there is none, MIN_VALUE if a source has none. */
  private static long least(LogicalPlan plan) {
    if (plan instanceof EventTimeWatermark) {
      return ofSource(plan);
    }
    long least = Long.MAX_VALUE;
    for (LogicalPlan child : CollectionConverters.asJava(plan.children())) {
      least = Math.min(least, least(child));
    }
    return least;
  }

  private static long ofSource(LogicalPlan plan) {
    if (plan instanceof StreamingExecutionRelation relation && relation.source() instanceof LogStream log) {
      return log.watermark();
    }
    return plan.children().size() == 1 ? ofSource(plan.children().head()) : Long.MIN_VALUE;
  }
}
