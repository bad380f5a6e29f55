package io.rowtime.files;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;

/** What executors report about themselves before a query relies on them. */
public final class ExecutorReports {
  /** An answer within this time, in ms, tells enough about a clock. */
  private static final long QUICK = 300;
  /** The number of attempts: the first task of an executor fetches jars. */
  private static final int ATTEMPTS = 3;

  private ExecutorReports() {}

  /**
   * Asks executors for the time, those that are busy not at all.
   *
   * @param executors the ids of the executors
   * @return for each: its id, its host, its time, and the times of this process before and after it was asked, in ms
   *     since 1970
   */
  public static List<List<String>> clocks(SparkSession spark, List<String> executors) {
    Map<String, List<String>> found = new LinkedHashMap<>();
    for (int i = 0; i < ATTEMPTS; i++) {
      long before = System.currentTimeMillis();
      List<String> reports = described(spark, executors)
          .map(report -> report + "\t" + System.currentTimeMillis()).collect();
      long after = System.currentTimeMillis();
      for (String report : reports) {
        String[] parts = report.split("\t");
        found.put(parts[0], List.of(parts[0], parts[1], parts[2], Long.toString(before), Long.toString(after)));
      }
      if (after - before <= QUICK) {
        break;
      }
    }
    return new ArrayList<>(found.values());
  }

  /** Returns the id of the executor that evaluates it, a tab, and its host, in a partition for each executor. */
  public static JavaRDD<String> described(SparkSession spark, List<String> executors) {
    Map<String, String> asked = ExecutorTasks.registered();
    asked.keySet().retainAll(executors);
    return ExecutorTasks.on(spark.sparkContext(), asked)
        .map(ignored -> SparkEnv.get().executorId() + "\t" + ExecutorTasks.host());
  }
}
