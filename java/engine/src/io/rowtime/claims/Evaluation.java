package io.rowtime.claims;

import io.rowtime.spark.TaskPart;
import org.apache.spark.TaskContext;

/**
 * The task that evaluates a node.
 *
 * @param batch the number of the micro-batch; -1 in a relation
 * @param run identifies the start of the query
 * @param stage identifies Spark's stage; if a plan reads a node twice, it is evaluated in several
 * @param partition the number of the task within its stage
 * @param attempt identifies the attempt: a task that fails may run again
 */
record Evaluation(long batch, String run, long stage, int partition, long attempt) {
  static final long RELATION = -1;

  private static final long NO_STAGE = -1;

  /**
   * @param context null if Spark's optimizer evaluates constant rows, perhaps several times
   * @param stream whether the rows are of a stream; each micro-batch reads a relation anew
   */
  static Evaluation of(TaskContext context, boolean stream) {
    if (context == null) {
      return new Evaluation(RELATION, "", NO_STAGE, 0, 0);
    }
    TaskPart part = TaskPart.of(context);
    String batch = !stream ? null : context.getLocalProperty("streaming.sql.batchId");
    // Spark's id for the run of a query is the id of its job group.
    return new Evaluation(batch == null ? RELATION : Long.parseLong(batch), String.valueOf(context.getLocalProperty("spark.jobGroup.id")),
        part.stage(), part.partition(), context.taskAttemptId());
  }

  boolean isTask() {
    return stage != NO_STAGE;
  }

  /** Returns whether this evaluation repeats an earlier one, whose rows no longer count. */
  boolean replaces(Evaluation earlier) {
    boolean sameTask = earlier.stage == stage && earlier.partition == partition;
    return earlier.batch > batch || earlier.batch == batch && (!earlier.run.equals(run) || sameTask && earlier.attempt != attempt);
  }

  /** Returns whether rows of an earlier evaluation are others than those of this one: a stage reads each row once. */
  boolean isBeside(Evaluation earlier) {
    return earlier.batch < batch || earlier.batch == batch && earlier.stage == stage;
  }
}
