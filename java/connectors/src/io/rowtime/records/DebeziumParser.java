package io.rowtime.records;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/**
 * Parses Debezium's change events in JSON, with their schema or without it, to the columns of a changelog: OP and PAYLOAD, which is
 * the row before a deletion, and the row after any other change. Other fields of an event fill the columns of their names.
 */
final class DebeziumParser implements RecordParser {
  private static final String OP = "OP";
  private static final String PAYLOAD = "PAYLOAD";
  /** The kinds of changes, as TO_CHANGELOG numbers them: created, read for a snapshot, updated, deleted. */
  private static final Map<String, String> KINDS = Map.of("c", "0", "r", "0", "u", "2", "d", "3");

  private final FieldNames names;
  private final int op;
  private final int payload;

  DebeziumParser(FieldNames names) {
    this.names = names;
    op = names.indexOf(OP);
    payload = names.indexOf(PAYLOAD);
  }

  /** The parts of an event that say what has changed; null for those that it lacks. */
  private static final class Event {
    String op;
    String before;
    String after;
    /** The event itself, if it is in a field beside its schema. */
    String inner;
    boolean hasSchema;
  }

  @Override public boolean parse(String line, String[] cells) throws InvalidRecord {
    Event event = read(line, cells);
    if (event.inner != null && (event.hasSchema || event.op == null)) {
      event = read(event.inner, cells);
    }
    if (event.op == null) {
      throw new InvalidRecord("no event of Debezium: it has no field 'op'");
    }
    if (event.op.equals("m")) {
      // A message that an application has written to the log of the database.
      return false;
    }
    String kind = KINDS.get(event.op);
    if (kind == null) {
      throw new InvalidRecord(event.op.equals("t") ? "the table is truncated, which says of no row that it is gone" : "op '" + event.op + "' is none of c, r, u, d");
    }
    boolean deletes = event.op.equals("d");
    String row = deletes ? event.before : event.after;
    if (row == null || row.isEmpty() || row.charAt(0) != '{') {
      throw new InvalidRecord("op '" + event.op + "' without the row " + (deletes ? "before" : "after") + " it");
    }
    if (op >= 0) {
      cells[op] = kind;
    }
    if (payload >= 0) {
      cells[payload] = row;
    }
    return true;
  }

  private Event read(String text, String[] cells) throws InvalidRecord {
    Arrays.fill(cells, null);
    Event event = new Event();
    try (com.fasterxml.jackson.core.JsonParser json = JsonParser.FACTORY.createParser(text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new InvalidRecord("not a JSON object");
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        String value = JsonParser.value(json, text);
        switch (name) {
          case "op" -> event.op = value;
          case "before" -> event.before = value;
          case "after" -> event.after = value;
          case "payload" -> event.inner = json.currentToken() == JsonToken.END_OBJECT ? value : null;
          case "schema" -> event.hasSchema = true;
          default -> { }
        }
        int column = names.indexOf(name);
        if (column >= 0) {
          cells[column] = value;
        }
      }
      if (json.nextToken() != null) {
        throw new InvalidRecord("broken JSON: text after the end of the object");
      }
    } catch (IOException e) {
      throw new InvalidRecord("broken JSON: " + JsonParser.reason(e));
    }
    return event;
  }
}
