package io.rowtime.lateness;

import io.rowtime.spark.TaskPart;
import org.apache.spark.TaskContext;

/**
 * Identifies a task within its query.
 *
 * @param batch the number of the micro-batch
 * @param partition the number of the task within its stage
 * @param run identifies the start of the query that the task belongs to: digits and letters
 */
public record TaskId(long batch, int partition, String run) {
  public static TaskId of(TaskContext context) {
    String batch = context.getLocalProperty("streaming.sql.batchId");
    if (batch == null) {
      // Spark sets it on the thread of the query; it is lost if another thread reads the rows.
      throw new IllegalStateException("Rows can be set aside only in a micro-batch of a streaming query");
    }
    // Spark's id for the run of a query is the id of its job group.
    String run = String.valueOf(context.getLocalProperty("spark.jobGroup.id"));
    return new TaskId(Long.parseLong(batch), TaskPart.of(context).partition(), run.replaceAll("[^0-9A-Za-z]", ""));
  }
}
