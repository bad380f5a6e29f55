package io.rowtime.log;

import org.apache.spark.sql.execution.streaming.Offset;

/** A query's position in the changes of a table: it has read all up to a version. */
final class TableOffset extends Offset {
  private final String table;
  private final long version;

  /** @param table the id of the table */
  TableOffset(String table, long version) {
    this.table = table;
    this.version = version;
  }

  /** Returns the offset that Spark has stored, as an object or as text. */
  static TableOffset of(Offset offset) {
    return offset instanceof TableOffset known ? known : OffsetText.read(offset.json(),
        node -> new TableOffset(node.required("table").asText(), node.required("version").asLong()));
  }

  String table() {
    return table;
  }

  long version() {
    return version;
  }

  @Override public String json() {
    return OffsetText.object().put("table", table).put("version", version).toString();
  }
}
