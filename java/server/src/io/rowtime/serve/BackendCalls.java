package io.rowtime.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Sends requests to a {@link Backend} and reads its answers. */
final class BackendCalls {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Backend backend;

  BackendCalls(Backend backend) {
    this.backend = backend;
  }

  /** Writes the fields of a request. */
  interface Filler {
    void fill(ObjectNode request);
  }

  /**
   * Sends a request about a statement of a connection.
   *
   * @throws ServeException if the answer has errors
   */
  JsonNode call(String what, String connection, int statement, Filler filler) {
    ObjectNode request = JSON.createObjectNode().put("do", what).put("connection", connection).put("statement", statement);
    filler.fill(request);
    JsonNode answer;
    try {
      answer = JSON.readTree(backend.call(request.toString()));
    } catch (RuntimeException | JsonProcessingException e) {
      // The Python process that runs statements is stopping, or has exited.
      throw ServeException.of("RT0645", "The server is stopping", "Connect again when it has started");
    }
    if (answer.has("errors")) {
      throw ServeException.of(answer.get("errors"));
    }
    return answer;
  }

  /** Parses JSON from a client. */
  static JsonNode read(byte[] json) {
    try {
      return JSON.readTree(json);
    } catch (java.io.IOException e) {
      throw ServeException.of("RT0646", "The request cannot be read", null);
    }
  }
}
