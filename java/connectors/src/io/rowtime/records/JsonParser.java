package io.rowtime.records;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.rowtime.limits.Limits;
import io.rowtime.limits.Texts;
import java.io.IOException;
import java.util.Arrays;

/** Parses one JSON object per line. Values that are objects or arrays stay JSON text. */
final class JsonParser implements RecordParser {
  /**
   * Jackson enforces the limits on depth and numbers; texts are no longer than the record. Field names are neither
   * interned for the life of the JVM nor checked for hash collisions, because anyone may have chosen them.
   */
  static final JsonFactory FACTORY = new JsonFactoryBuilder()
      .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(Limits.DEPTH)
          .maxNumberLength(Limits.NUMBER_LENGTH).maxNameLength(Integer.MAX_VALUE).maxStringLength(Integer.MAX_VALUE).build())
      .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
      .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
      .build();

  private final FieldNames names;
  private final UnknownFields unknown;

  /** @param unknown counts the fields that fill no column; null if they are meant to be there */
  JsonParser(FieldNames names, UnknownFields unknown) {
    this.names = names;
    this.unknown = unknown;
  }

  @Override public boolean parse(String line, String[] cells) throws InvalidRecord {
    Arrays.fill(cells, null);
    try (com.fasterxml.jackson.core.JsonParser json = FACTORY.createParser(line)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new InvalidRecord("not a JSON object");
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        int column = names.indexOf(name);
        String text = value(json, line);
        if (column >= 0) {
          cells[column] = text;
        } else if (unknown != null) {
          unknown.add(name);
        }
      }
      if (json.nextToken() != null) {
        throw new InvalidRecord("broken JSON: text after the end of the object");
      }
    } catch (IOException e) {
      throw new InvalidRecord("broken JSON: " + reason(e));
    }
    return true;
  }

  /** Returns the error of a text, and the character at which it is. */
  static String reason(IOException fault) {
    if (fault instanceof StreamConstraintsException limit) {
      return String.valueOf(limit.getMessage()).contains("epth")
          ? "nested deeper than " + Limits.DEPTH + " levels"
          : String.format("a number of more than %,d characters", Limits.NUMBER_LENGTH);
    }
    if (fault instanceof JsonProcessingException broken && broken.getLocation() != null) {
      String said = String.valueOf(broken.getOriginalMessage()).lines().findFirst().orElse("");
      return Texts.beginning(said, 300) + " (column " + broken.getLocation().getColumnNr() + ")";
    }
    return "it cannot be read";
  }

  /** Returns the text of the current value; for an object or array its JSON. */
  static String value(com.fasterxml.jackson.core.JsonParser json, String line) throws IOException {
    JsonToken token = json.nextToken();
    return token == JsonToken.VALUE_NULL ? null : text(json, line);
  }

  /** Does the same for a value whose first token has been read. */
  static String text(com.fasterxml.jackson.core.JsonParser json, String line) throws IOException {
    JsonToken token = json.currentToken();
    if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
      int from = (int) json.currentTokenLocation().getCharOffset();
      json.skipChildren();
      return line.substring(from, (int) json.currentTokenLocation().getCharOffset() + 1);
    }
    return json.getText();
  }
}
