package io.rowtime.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shifts the origins of a plan's nodes from the coordinates of a statement to those of the file that contains it. */
final class OriginsInFile {
  private static final Pattern LINE_END = Pattern.compile("\\r\\n|\\r|\\n");

  private final String sql;
  private final int line;
  private final int column;
  /** The offsets at which the lines of the statement start. */
  private final List<Integer> starts = new ArrayList<>(List.of(0));

  /**
   * @param sql the statement
   * @param line the line of the file at which it starts
   * @param column the column in that line
   */
  OriginsInFile(String sql, int line, int column) {
    this.sql = sql;
    this.line = line;
    this.column = column;
    for (Matcher end = LINE_END.matcher(sql); end.find();) {
      starts.add(end.end());
    }
  }

  /** Shifts the origins of the plan of a planned statement, if it has one, and the places of what cannot run yet. */
  void move(JsonNode statement) {
    if (statement == null) {
      return;
    }
    if (statement.path("plan").isObject()) {
      node(statement.get("plan"));
    }
    statement.path("notSupportedAt").forEach(place -> part((ObjectNode) place));
  }

  private void node(JsonNode node) {
    node.get("origin").forEach(part -> part((ObjectNode) part));
    node.get("inputs").forEach(this::node);
  }

  private void part(ObjectNode part) {
    int begin = starts.get(part.get("line").intValue() - 1) + part.get("column").intValue() - 1;
    int end = starts.get(part.get("endLine").intValue() - 1) + part.get("endColumn").intValue() - 1;
    // Between two queries, the word is surrounded by blanks.
    while (begin < end && Character.isWhitespace(sql.charAt(begin))) {
      begin++;
    }
    while (begin < end && Character.isWhitespace(sql.charAt(end))) {
      end--;
    }
    put(part, "line", "column", begin);
    put(part, "endLine", "endColumn", end);
  }

  private void put(ObjectNode part, String row, String place, int offset) {
    int found = Collections.binarySearch(starts, offset);
    int number = found < 0 ? -found - 2 : found;
    part.put(row, line + number).put(place, offset - starts.get(number) + (number == 0 ? column : 1));
  }
}
