package io.rowtime.state;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Caches operators in memory from batch to batch, in this JVM. The state contains the name of the operator that belongs
 * to it, a new random number for each version. Whatever failed between two batches, and wherever the next one runs, the
 * cache returns either exactly this operator, or none, in which case the state is read.
 */
final class TaskCache {
  /** @param query identifies a start of a query: another one may have other parameters, although it has the same state */
  record Name(long high, long low, UUID query) {}

  private record Kept(TaskOperator operator, long since) {}

  private static final int OPERATORS = 256;
  private static final long IDLE_NANOS = 600_000_000_000L;
  private static final Map<Name, Kept> KEPT = new LinkedHashMap<>();

  private TaskCache() {}

  /** Removes and returns the operator with this name; or null. */
  static TaskOperator take(Name name) {
    synchronized (KEPT) {
      Kept kept = KEPT.remove(name);
      return kept == null ? null : kept.operator;
    }
  }

  static void keep(Name name, TaskOperator operator) {
    long now = System.nanoTime();
    synchronized (KEPT) {
      // The oldest come first. Those of queries that have ended are never used again.
      KEPT.values().removeIf(kept -> now - kept.since > IDLE_NANOS);
      if (KEPT.size() >= OPERATORS) {
        KEPT.remove(KEPT.keySet().iterator().next());
      }
      KEPT.put(name, new Kept(operator, now));
    }
  }
}
