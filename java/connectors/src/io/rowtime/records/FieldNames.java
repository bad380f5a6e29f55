package io.rowtime.records;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Finds the column that a field of a record fills: by its exact name, else ignoring case. */
final class FieldNames {
  /** Limits the cache of names that fill no column: their number, and their length. */
  private static final int CACHE_SIZE = 10_000;
  private static final int MAX_CACHED_LENGTH = 200;

  private final Map<String, Integer> exact = new HashMap<>();
  private final Map<String, Integer> folded = new HashMap<>();

  FieldNames(List<RecordColumn> targets) {
    for (int i = 0; i < targets.size(); i++) {
      String source = targets.get(i).source();
      if (source != null) {
        exact.put(source, i);
        folded.putIfAbsent(source.toUpperCase(Locale.ROOT), i);
      }
    }
  }

  /** Returns the index of the column, or -1. */
  int indexOf(String name) {
    Integer found = exact.get(name);
    if (found == null) {
      found = folded.get(name.toUpperCase(Locale.ROOT));
      // Names recur with every record, so cache this spelling.
      if (exact.size() < CACHE_SIZE && name.length() <= MAX_CACHED_LENGTH) {
        exact.put(name, found == null ? -1 : found);
      }
    }
    return found == null ? -1 : found;
  }
}
