package io.rowtime.spark;

import java.util.Objects;
import org.apache.spark.TaskContext;

/**
 * The rows that the current thread processes: a partition of a stage. A task of Spark processes one; a small micro-batch
 * has all of them in one task, one after the other.
 *
 * @param stage identifies the stage: its partitions have different rows
 * @param partition the number of the partition within its stage
 */
public record TaskPart(long stage, int partition) {
  private static final String PART = "rowtime.part";

  public static TaskPart of(TaskContext context) {
    String set = context.getLocalProperty(PART);
    if (set == null) {
      return new TaskPart(context.stageId(), context.partitionId());
    }
    int comma = set.indexOf(',');
    return new TaskPart(Long.parseLong(set.substring(0, comma)), Integer.parseInt(set.substring(comma + 1)));
  }

  /**
   * Says that the task processes this part from now on.
   *
   * @param rdd the RDD whose partitions are the parts
   * @return what to pass to {@link #leave}
   */
  public static String enter(TaskContext context, int rdd, int partition) {
    String before = context.getLocalProperty(PART);
    // Both numbers are at most 31 bits.
    long stage = ((long) context.stageId() << Integer.SIZE) + rdd + 1;
    context.getLocalProperties().setProperty(PART, stage + "," + partition);
    return Objects.requireNonNullElse(before, "");
  }

  /** Says that the task is back in the part in which it was before. */
  public static void leave(TaskContext context, String before) {
    if (before.isEmpty()) {
      context.getLocalProperties().remove(PART);
    } else {
      context.getLocalProperties().setProperty(PART, before);
    }
  }
}
