package io.rowtime.log;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.spark.sql.execution.streaming.Offset;

/** A query's position in a log: it has read all versions before {@code next}, completely. */
final class LogOffset extends Offset {
  private final String log;
  private final long next;

  /** @param log the id of the log's table */
  LogOffset(String log, long next) {
    this.log = log;
    this.next = next;
  }

  /** Returns the offset that Spark has stored, as an object or as text. */
  static LogOffset of(Offset offset) {
    return offset instanceof LogOffset known ? known : OffsetText.read(offset.json(), LogOffset::read);
  }

  private static LogOffset read(JsonNode node) {
    if (node.hasNonNull("reservoirVersion")) {
      // Checkpoints of earlier releases, which read logs with Delta's own source.
      return new LogOffset(node.get("reservoirId").asText(), node.get("reservoirVersion").asLong());
    }
    return new LogOffset(node.required("log").asText(), node.required("next").asLong());
  }

  String log() {
    return log;
  }

  long next() {
    return next;
  }

  @Override public String json() {
    return OffsetText.object().put("log", log).put("next", next).toString();
  }
}
