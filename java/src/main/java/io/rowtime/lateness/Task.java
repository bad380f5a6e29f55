package io.rowtime.lateness;

import org.apache.spark.TaskContext;

/**
 * The place of a task in its query.
 *
 * @param batch number of the micro-batch
 * @param partition number of the task among those of its stage
 * @param run which start of the query it belongs to: digits and letters
 */
record Task(long batch, int partition, String run) {
  static Task current() {
    TaskContext context = TaskContext.get();
    String batch = context == null ? null : context.getLocalProperty("streaming.sql.batchId");
    String run = context == null ? null : context.getLocalProperty("spark.jobGroup.id");
    return new Task(batch == null ? 0 : Long.parseLong(batch), context == null ? 0 : context.partitionId(),
        run == null ? "0" : run.replaceAll("[^0-9A-Za-z]", ""));
  }
}
