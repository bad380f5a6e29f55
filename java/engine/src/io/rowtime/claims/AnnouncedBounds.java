package io.rowtime.claims;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The bounds that queries have announced, to the targets of pumps and to users, by micro-batch. */
final class AnnouncedBounds {
  private static final int MAX_BATCHES = 10;
  private static final Map<String, NavigableMap<Long, Long>> BOUNDS = new ConcurrentHashMap<>();

  private AnnouncedBounds() {}

  /** @param bound in microseconds: no row of a later micro-batch is before it */
  static void put(String query, long batch, long bound) {
    NavigableMap<Long, Long> bounds = BOUNDS.computeIfAbsent(query, absent -> new TreeMap<>());
    synchronized (bounds) {
      bounds.merge(batch, bound, Math::max);
      if (bounds.size() > MAX_BATCHES) {
        bounds.pollFirstEntry();
      }
    }
  }

  /** Returns the bound that was announced before a micro-batch, in microseconds; the least number if there is none. */
  static long before(String query, long batch) {
    NavigableMap<Long, Long> bounds = BOUNDS.get(query);
    if (bounds == null) {
      return Long.MIN_VALUE;
    }
    synchronized (bounds) {
      return bounds.headMap(batch).values().stream().mapToLong(Long::longValue).max().orElse(Long.MIN_VALUE);
    }
  }
}
