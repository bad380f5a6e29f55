package io.rowtime.kafka;

import java.util.Map;
import java.util.WeakHashMap;
import org.apache.spark.SparkContext;

/**
 * The tasks of queries in real-time mode. Each has a core for as long as the query runs, and a batch ends when all of them have had
 * one, so they are counted, and one core is left to whatever else runs.
 */
final class RealTimeTasks {
  private static final Map<RealTimeTasks, Integer> TAKEN = new WeakHashMap<>();

  void take(int count, String topic) {
    SparkContext context = SparkContext.getOrCreate();
    int cores = context.maxNumConcurrentTasks(context.resourceProfileManager().defaultResourceProfile());
    synchronized (TAKEN) {
      TAKEN.remove(this);
      int others = TAKEN.values().stream().mapToInt(Integer::intValue).sum();
      if (count + others >= cores) {
        throw new IllegalStateException("A pump in real time needs a core for each partition of its topic: '" + topic + "' has " + count
            + ", and Spark has " + cores + (cores == 1 ? " core" : " cores") + (others == 0 ? "" : ", of which other pumps in real time have " + others)
            + "; one is left to other queries");
      }
      TAKEN.put(this, count);
    }
  }

  void release() {
    synchronized (TAKEN) {
      TAKEN.remove(this);
    }
  }
}
