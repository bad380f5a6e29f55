package io.rowtime.records;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;

/** One JSON object a line. Values that are objects or arrays stay JSON text. */
final class JsonParser implements RecordParser {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final FieldNames names;

  JsonParser(FieldNames names) {
    this.names = names;
  }

  @Override public void parse(String line, String[] cells) throws BadRecord {
    Arrays.fill(cells, null);
    try (com.fasterxml.jackson.core.JsonParser json = FACTORY.createParser(line)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new BadRecord("not a JSON object");
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        int column = names.indexOf(json.currentName());
        String text = value(json, line);
        if (column >= 0) {
          cells[column] = text;
        }
      }
      if (json.nextToken() != null) {
        throw new BadRecord("broken JSON: text after the end of the object");
      }
    } catch (JsonProcessingException e) {
      throw new BadRecord("broken JSON: " + e.getOriginalMessage().lines().findFirst().orElse("")
          + " (column " + e.getLocation().getColumnNr() + ")");
    } catch (IOException e) {
      throw new BadRecord("broken JSON: " + e.getMessage());
    }
  }

  private static String value(com.fasterxml.jackson.core.JsonParser json, String line) throws IOException {
    JsonToken token = json.nextToken();
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
      int from = (int) json.currentTokenLocation().getCharOffset();
      json.skipChildren();
      return line.substring(from, (int) json.currentTokenLocation().getCharOffset() + 1);
    }
    return json.getText();
  }
}
