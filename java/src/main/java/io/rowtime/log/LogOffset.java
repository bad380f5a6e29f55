package io.rowtime.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.spark.sql.execution.streaming.Offset;

/** A query's position in a log: it has read all versions before {@code next}, completely. */
final class LogOffset extends Offset {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String log;
  private final long next;

  /** @param log the id of the log's table */
  LogOffset(String log, long next) {
    this.log = log;
    this.next = next;
  }

  /** Returns the offset that Spark has stored, as an object or as text. */
  static LogOffset of(Offset offset) {
    return offset instanceof LogOffset known ? known : parse(offset.json());
  }

  private static LogOffset parse(String json) {
    try {
      JsonNode node = JSON.readTree(json);
      if (node.hasNonNull("reservoirVersion")) {
        // Checkpoints of earlier releases, which read logs with Delta's own source.
        return new LogOffset(node.get("reservoirId").asText(), node.get("reservoirVersion").asLong());
      }
      return new LogOffset(node.required("log").asText(), node.required("next").asLong());
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IllegalStateException("The checkpoint holds an offset that cannot be read: " + json, e);
    }
  }

  String log() {
    return log;
  }

  long next() {
    return next;
  }

  @Override public String json() {
    return JSON.createObjectNode().put("log", log).put("next", next).toString();
  }
}
