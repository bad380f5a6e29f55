package io.rowtime.table;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** Reads a table: a JSON array of objects, each of which has all components of a record. */
public final class SharedTable {
  private static final ObjectMapper STRICT = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
      DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

  private SharedTable() {}

  /** Returns the lines of a table, in their order. {@code owner} is in the package of the resource {@code name}. */
  public static <T> List<T> read(Class<?> owner, String name, Class<T[]> lines) {
    try (InputStream table = owner.getResourceAsStream(name)) {
      return List.of(STRICT.readValue(table, lines));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
