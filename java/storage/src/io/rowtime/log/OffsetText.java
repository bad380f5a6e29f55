package io.rowtime.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Function;

/** The text of an offset in a checkpoint: a JSON object. */
final class OffsetText {
  private static final ObjectMapper JSON = new ObjectMapper();

  private OffsetText() {}

  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  static <T> T read(String text, Function<JsonNode, T> reading) {
    try {
      return reading.apply(JSON.readTree(text));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IllegalStateException("The checkpoint holds an offset that cannot be read: " + text, e);
    }
  }
}
