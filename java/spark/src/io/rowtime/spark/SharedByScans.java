package io.rowtime.spark;

import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution;

/** What all scans of one source in one query share: for Spark, each scan is a source of its own. */
public final class SharedByScans<T> {
  private final Map<StreamExecution, Map<String, T>> known = new WeakHashMap<>();
  private final Supplier<T> made;

  /** @param made makes what is shared; it must not refer to the query, which would never be forgotten */
  public SharedByScans(Supplier<T> made) {
    this.made = made;
  }

  /**
   * Returns what the scans of {@code source} share in the query that the current thread runs; if it runs none, nothing is
   * shared.
   */
  public T of(SparkSession spark, String source) {
    StreamExecution query = RunningQuery.of(spark);
    if (query == null) {
      return made.get();
    }
    synchronized (known) {
      return known.computeIfAbsent(query, any -> new HashMap<>()).computeIfAbsent(source, any -> made.get());
    }
  }
}
