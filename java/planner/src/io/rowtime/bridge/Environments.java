package io.rowtime.bridge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.validate.Environment;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Calcite's form of the most recent catalog snapshots, by the keys that Python gives them, so that a statement costs the
 * same however large the catalog is.
 *
 * <p>A key stands for one content for ever. Forgetting one only costs time: Python sends the whole catalog again.
 */
final class Environments {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_SNAPSHOTS = 16;

  private final Map<String, Environment> known = new LinkedHashMap<>(16, 0.75f, true) {
    @Override protected boolean removeEldestEntry(Map.Entry<String, Environment> eldest) {
      return size() > MAX_SNAPSHOTS;
    }
  };

  /**
   * Returns the environment for a catalog; null if Python has to send all of it.
   *
   * @param json the whole catalog; or only its {@code key}; or its {@code key}, the {@code base} that it follows, and
   *     what has changed since (see {@link CatalogSnapshot#with})
   */
  Environment get(String json) throws JsonProcessingException {
    JsonNode catalog = JSON.readTree(json);
    String key = catalog.path("key").asText("");
    boolean isWhole = catalog.has("objects") && !catalog.has("base");
    Environment base;
    synchronized (known) {
      Environment found = key.isEmpty() ? null : known.get(key);
      if (found != null) {
        return found;
      }
      base = isWhole ? null : known.get(catalog.path("base").asText());
    }
    if (base == null && !isWhole) {
      return null;
    }
    Environment made = isWhole ? new Environment(CatalogSnapshot.of(catalog)) : base.with(base.catalog().with(catalog));
    if (!key.isEmpty()) {
      synchronized (known) {
        known.putIfAbsent(key, made);
      }
    }
    return made;
  }
}
