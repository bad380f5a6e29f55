package io.rowtime.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.spark.sql.execution.streaming.Offset;

/** A query's position in the changes of a table: it has read all up to a version. */
final class TableOffset extends Offset {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String table;
  private final long version;

  /** @param table the id of the table */
  TableOffset(String table, long version) {
    this.table = table;
    this.version = version;
  }

  /** Returns the offset that Spark has stored, as an object or as text. */
  static TableOffset of(Offset offset) {
    if (offset instanceof TableOffset known) {
      return known;
    }
    try {
      JsonNode node = JSON.readTree(offset.json());
      return new TableOffset(node.required("table").asText(), node.required("version").asLong());
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IllegalStateException("The checkpoint holds an offset that cannot be read: " + offset.json(), e);
    }
  }

  String table() {
    return table;
  }

  long version() {
    return version;
  }

  @Override public String json() {
    return JSON.createObjectNode().put("table", table).put("version", version).toString();
  }
}
