package io.rowtime.claims;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What this JVM remembers of the nodes of queries. The least recently used ones are forgotten. */
final class NodeRecords {
  private static final int MAX_NODES = 1000;
  private static final Map<String, NodeRecord> RECORDS = new LinkedHashMap<>(16, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override protected boolean removeEldestEntry(Map.Entry<String, NodeRecord> eldest) {
      return size() > MAX_NODES;
    }
  };

  private NodeRecords() {}

  /** @param key identifies the query, the node and what is claimed of it */
  static NodeRecord of(String key, Supplier<NodeRecord> create) {
    synchronized (RECORDS) {
      return RECORDS.computeIfAbsent(key, absent -> create.get());
    }
  }
}
