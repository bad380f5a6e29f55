package io.rowtime.marks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import org.apache.spark.sql.connector.read.streaming.Offset;

/** A mark: the bound in milliseconds, or null at the beginning. Two marks differ even if their bounds are equal. */
final class MarkOffset extends Offset {
  static final MarkOffset NONE = new MarkOffset("", null);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String id;
  private final Long bound;

  private MarkOffset(String id, Long bound) {
    this.id = id;
    this.bound = bound;
  }

  static MarkOffset at(long bound) {
    return new MarkOffset(UUID.randomUUID().toString(), bound);
  }

  static MarkOffset of(String json) {
    try {
      JsonNode node = JSON.readTree(json);
      return new MarkOffset(node.get("id").asText(), node.get("bound").isNull() ? null : node.get("bound").asLong());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Long bound() {
    return bound;
  }

  @Override public String json() {
    ObjectNode node = JSON.createObjectNode().put("id", id);
    return node.put("bound", bound).toString();
  }
}
