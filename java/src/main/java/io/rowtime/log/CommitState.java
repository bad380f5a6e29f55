package io.rowtime.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;

/** The state of a log after a commit, which its file contains ({@code rowtime/streams/state.py} writes it). */
public final class CommitState {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonNode fields;

  private CommitState(JsonNode fields) {
    this.fields = fields;
  }

  /** The state in the file of a commit; without fields if it has none, as in version 0, which makes the table. */
  public static CommitState of(byte[] content) throws JsonProcessingException {
    for (String line : new String(content, StandardCharsets.UTF_8).split("\n")) {
      JsonNode state = JSON.readTree(line).path("commitInfo").path("rowtime");
      if (state.isTextual()) {
        return new CommitState(JSON.readTree(state.asText()));
      }
    }
    return new CommitState(JSON.missingNode());
  }

  /** A field in milliseconds since 1970; null if it has no value. */
  public Long millis(String field) {
    JsonNode value = fields.path(field);
    return value.isNumber() ? value.asLong() : null;
  }
}
