package io.rowtime.adapter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowtime.api.Adapter;
import io.rowtime.api.AdapterContext;
import io.rowtime.functions.UserClasses;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * The settings of an adapter: the user's options, and rowtime's own options, which start with {@code rowtime.}: {@code
 * class}; {@code columns} (JSON with the name, type and nullability of each); {@code schema} (the same columns as
 * Spark's JSON); {@code folder}; and {@code name}, of the query that reads or writes.
 */
final class AdapterSettings implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OWN = "rowtime.";

  private final TreeMap<String, String> options;

  AdapterSettings(Map<String, String> options) {
    this.options = new TreeMap<>(options);
  }

  /** Returns the name of the class, which messages use for the adapter. */
  String label() {
    return options.get(OWN + "class");
  }

  /** Returns the columns in Spark's types. */
  StructType schema() {
    return (StructType) DataType.fromJson(options.get(OWN + "schema"));
  }

  /**
   * Returns the constructor of the adapter's class.
   *
   * @throws IllegalArgumentException if no such class implements the interface; the message gives the reason
   */
  <T extends Adapter> Constructor<? extends T> constructor(Class<T> kind) {
    Class<?> found;
    try {
      found = UserClasses.named(label());
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("cannot be loaded: there is no such class", e);
    } catch (LinkageError e) {
      throw new IllegalArgumentException("cannot be loaded: " + AdapterFault.reason(e), e);
    }
    if (!kind.isAssignableFrom(found)) {
      throw new IllegalArgumentException("does not implement " + kind.getName());
    }
    try {
      return found.asSubclass(kind).getConstructor();
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException("has no public constructor without arguments", e);
    }
  }

  /** Returns why there is no adapter of that kind; null if there is one. */
  String missing(Class<? extends Adapter> kind) {
    try {
      constructor(kind);
      return null;
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  /** Creates and opens a new instance. */
  <T extends Adapter> T open(Class<T> kind) {
    return AdapterFault.guard(label(), () -> {
      T made = constructor(kind).newInstance();
      made.open(context());
      return made;
    });
  }

  void close(Adapter adapter) {
    AdapterFault.guard(label(), () -> {
      adapter.close();
      return null;
    });
  }

  private AdapterContext context() throws JsonProcessingException {
    Map<String, String> theirs = new TreeMap<>(options);
    theirs.keySet().removeIf(name -> name.startsWith(OWN));
    List<AdapterContext.Column> columns = new ArrayList<>();
    for (JsonNode column : JSON.readTree(options.get(OWN + "columns"))) {
      columns.add(new AdapterContext.Column(column.get("name").asText(), column.get("type").asText(),
          column.get("nullable").asBoolean()));
    }
    return new AdapterContext(Collections.unmodifiableMap(theirs), Collections.unmodifiableList(columns),
        Path.of(options.get(OWN + "folder")), Optional.ofNullable(options.get(OWN + "name")));
  }
}
