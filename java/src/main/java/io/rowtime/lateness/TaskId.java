package io.rowtime.lateness;

import org.apache.spark.TaskContext;

/**
 * Identifies a task within its query.
 *
 * @param batch number of the micro-batch
 * @param partition number of the task among those of its stage
 * @param run which start of the query it belongs to: digits and letters
 */
record TaskId(long batch, int partition, String run) {
  static TaskId of(TaskContext context) {
    String batch = context.getLocalProperty("streaming.sql.batchId");
    if (batch == null) {
      // Spark sets it on the thread of the query, and it would be lost where rows are asked for from another one.
      throw new IllegalStateException("Late rows can be detected only in a micro-batch of a streaming query");
    }
    // Spark's name for the run of a query is that of its group of jobs.
    String run = String.valueOf(context.getLocalProperty("spark.jobGroup.id"));
    return new TaskId(Long.parseLong(batch), context.partitionId(), run.replaceAll("[^0-9A-Za-z]", ""));
  }
}
