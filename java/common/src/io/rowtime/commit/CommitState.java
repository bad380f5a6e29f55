package io.rowtime.commit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;

/** The state of a log after a commit, which the commit file contains ({@code rowtime/delta/state.py} writes it). */
public final class CommitState {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonNode fields;

  private CommitState(JsonNode fields) {
    this.fields = fields;
  }

  /** Reads the state from a commit file; empty if the file has none, like version 0, which creates the table. */
  public static CommitState of(byte[] content) throws JsonProcessingException {
    for (String line : new String(content, StandardCharsets.UTF_8).split("\n")) {
      JsonNode state = JSON.readTree(line).path("commitInfo").path("rowtime");
      if (state.isTextual()) {
        return new CommitState(JSON.readTree(state.asText()));
      }
    }
    return new CommitState(JSON.missingNode());
  }

  /** Returns a field in milliseconds since 1970; null if it has no value. */
  public Long millis(String field) {
    JsonNode value = fields.path(field);
    return value.isNumber() ? value.asLong() : null;
  }
}
