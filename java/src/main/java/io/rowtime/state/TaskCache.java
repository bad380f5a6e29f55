package io.rowtime.state;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Operators kept in memory from batch to batch, in this JVM. The state names the operator that belongs to it, by a random
 * number of its own for each version of it; so whatever went wrong between two batches, and wherever the next one runs,
 * either exactly this operator is found or none, and the state is read.
 */
final class TaskCache {
  record Name(long high, long low) {}

  private record Kept(TaskOperator operator, long since) {}

  private static final int OPERATORS = 256;
  private static final long IDLE_NANOS = 600_000_000_000L;
  private static final Map<Name, Kept> KEPT = new LinkedHashMap<>();

  private TaskCache() {}

  /** The operator of this name, which is then no longer kept; or null. */
  static TaskOperator take(Name name) {
    synchronized (KEPT) {
      Kept kept = KEPT.remove(name);
      return kept == null ? null : kept.operator;
    }
  }

  static void keep(Name name, TaskOperator operator) {
    long now = System.nanoTime();
    synchronized (KEPT) {
      // The oldest come first. Those of queries that have ended are never taken again.
      KEPT.values().removeIf(kept -> now - kept.since > IDLE_NANOS);
      if (KEPT.size() >= OPERATORS) {
        KEPT.remove(KEPT.keySet().iterator().next());
      }
      KEPT.put(name, new Kept(operator, now));
    }
  }
}
