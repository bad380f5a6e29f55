package io.rowtime.socket;

import org.apache.spark.sql.connector.read.streaming.Offset;

/** An offset: the number of lines so far. */
final class LineOffset extends Offset {
  final long lines;

  LineOffset(long lines) {
    this.lines = lines;
  }

  static LineOffset of(String json) {
    return new LineOffset(Long.parseLong(json));
  }

  @Override public String json() {
    return Long.toString(lines);
  }
}
