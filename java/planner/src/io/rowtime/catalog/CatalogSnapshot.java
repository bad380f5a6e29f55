package io.rowtime.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The contents of the catalog when a statement is planned, which is all that the planner knows about its environment.
 * Immutable.
 */
public final class CatalogSnapshot {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The statement {@code LATENESS view.column value}, which may be declared before its view exists. */
  public record ViewLateness(String view, String column, String value) {}

  private final Map<String, CatalogObject> objects = new LinkedHashMap<>();
  private final Map<String, Map<String, String>> storedNames = new HashMap<>();
  private final List<ViewLateness> viewLateness = new ArrayList<>();

  /** A catalog without objects. */
  public static final CatalogSnapshot EMPTY = new CatalogSnapshot();

  private CatalogSnapshot() {}

  /** Reads the JSON of a catalog snapshot (see the plan contract). */
  public static CatalogSnapshot fromJson(String json) {
    try {
      return of(JSON.readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("catalog snapshot is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** Returns the snapshot that contains {@code objects}, and the LATENESS of views. */
  public static CatalogSnapshot of(JsonNode root) {
    return EMPTY.with(root);
  }

  /**
   * Returns the snapshot after a change.
   *
   * @param change {@code removed} are the names of objects that are gone, {@code objects} those that are new or replace
   *     the one of their name; {@code lateness}, if present, is the LATENESS of all views
   */
  public CatalogSnapshot with(JsonNode change) {
    CatalogSnapshot snapshot = new CatalogSnapshot();
    snapshot.objects.putAll(objects);
    snapshot.storedNames.putAll(storedNames);
    for (JsonNode name : change.path("removed")) {
      snapshot.objects.remove(key(name.asText()));
    }
    for (JsonNode node : change.path("objects")) {
      CatalogObject object = object(node);
      snapshot.objects.put(key(object.name()), object);
      Map<String, String> stored = new HashMap<>();
      node.path("stored").properties().forEach(e -> stored.put(e.getKey(), e.getValue().asText()));
      snapshot.storedNames.put(key(object.name()), stored);
    }
    if (change.path("lateness").isMissingNode()) {
      snapshot.viewLateness.addAll(viewLateness);
    }
    for (JsonNode node : change.path("lateness")) {
      snapshot.viewLateness.add(
          new ViewLateness(node.path("view").asText(), node.path("column").asText(), node.path("value").asText()));
    }
    return snapshot;
  }

  /** Returns the object with that name, in any case; null if there is none. */
  public CatalogObject find(String name) {
    return objects.get(key(name));
  }

  /** Returns the names under which the columns of an object are stored, if it has lost a column; else an empty map. */
  public Map<String, String> storedNames(String name) {
    return storedNames.getOrDefault(key(name), Map.of());
  }

  public Collection<CatalogObject> objects() {
    return objects.values();
  }

  /** Returns the lateness that LATENESS statements give to the columns of a view, by column name. */
  public Map<String, String> latenessOfView(String view) {
    Map<String, String> result = new LinkedHashMap<>();
    for (ViewLateness l : viewLateness) {
      if (l.view().equalsIgnoreCase(view)) {
        result.put(l.column(), l.value());
      }
    }
    return result;
  }

  /**
   * Returns the objects that read or write {@code name}, nearest first, each before the objects that it uses itself.
   */
  public List<CatalogObject> dependents(String name) {
    Map<String, CatalogObject> found = new LinkedHashMap<>();
    collectDependents(name, found);
    return List.copyOf(found.values());
  }

  /** Returns the objects whose rejected rows go to {@code name}. */
  public List<CatalogObject> rejectingInto(String name) {
    return objects.values().stream().filter(o -> name.equalsIgnoreCase(o.lateStream())).toList();
  }

  private void collectDependents(String name, Map<String, CatalogObject> found) {
    for (CatalogObject object : objects.values()) {
      if (object.uses().stream().anyMatch(name::equalsIgnoreCase) && !found.containsKey(key(object.name()))) {
        collectDependents(object.name(), found);
        found.put(key(object.name()), object);
      }
    }
  }

  private static String key(String name) {
    return name.toUpperCase(Locale.ROOT);
  }

  private static CatalogObject object(JsonNode node) {
    List<CatalogColumn> columns = new ArrayList<>();
    for (JsonNode c : node.path("columns")) {
      columns.add(new CatalogColumn(c.path("name").asText(), c.path("type").asText(), c.path("nullable").asBoolean(true),
          text(c, "lateness"), text(c, "watermark"), text(c, "monotonic"), text(c, "default")));
    }
    Map<String, String> options = new LinkedHashMap<>();
    node.path("options").properties().forEach(e -> options.put(e.getKey(), e.getValue().asText()));
    return new CatalogObject(node.path("name").asText(), node.path("kind").asText(), columns, texts(node.path("primaryKey")),
        options, text(node, "query"), node.path("started").asBoolean(false), texts(node.path("uses")), text(node, "sql"));
  }

  private static List<String> texts(JsonNode array) {
    List<String> result = new ArrayList<>();
    array.forEach(e -> result.add(e.asText()));
    return result;
  }

  private static String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isMissingNode() || value.isNull() ? null : value.asText();
  }
}
