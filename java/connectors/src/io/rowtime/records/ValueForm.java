package io.rowtime.records;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What a SQL type says of its values beside Spark's type.
 *
 * @param name the name of the type: CHAR, TIMESTAMP, ROW …
 * @param precision the maximum length of text or bytes, or the digits of a second; -1 if the type has none
 * @param parts the forms of the elements of an array, the keys and values of a map, or the fields of a row
 */
record ValueForm(String name, int precision, List<ValueForm> parts) implements Serializable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** @param json {@code [name, precision, [parts]]} */
  static ValueForm read(String json) {
    try {
      return of(JSON.readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static ValueForm of(JsonNode json) {
    List<ValueForm> parts = new ArrayList<>();
    json.get(2).forEach(part -> parts.add(of(part)));
    return new ValueForm(json.get(0).asText(), json.get(1).asInt(), parts);
  }

  /** Returns whether shorter values are padded. */
  boolean pads() {
    return precision >= 0 && (name.equals("CHAR") || name.equals("BINARY"));
  }
}
