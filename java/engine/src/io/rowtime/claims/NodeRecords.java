package io.rowtime.claims;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What this JVM remembers of the nodes of queries. The least recently used ones are forgotten. */
final class NodeRecords {
  private static final int MAX_NODES = 1000;
  private static final long MAX_KEYS = 2_000_000;
  private static final Map<String, NodeRecord> RECORDS = new LinkedHashMap<>(16, 0.75f, true);

  private NodeRecords() {}

  /** @param key identifies the query, the node and what is claimed of it */
  static NodeRecord of(String key, Supplier<NodeRecord> create) {
    synchronized (RECORDS) {
      NodeRecord found = RECORDS.get(key);
      if (found == null) {
        makeRoom();
        found = create.get();
        RECORDS.put(key, found);
      }
      return found;
    }
  }

  private static void makeRoom() {
    long kept = RECORDS.values().stream().mapToLong(NodeRecord::kept).sum();
    for (Iterator<NodeRecord> eldest = RECORDS.values().iterator(); eldest.hasNext() && (RECORDS.size() >= MAX_NODES || kept > MAX_KEYS);) {
      kept -= eldest.next().kept();
      eldest.remove();
    }
  }
}
