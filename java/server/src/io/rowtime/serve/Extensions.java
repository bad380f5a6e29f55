package io.rowtime.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.serve.RequestHandlers.Answer;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Answers requests that Avatica's protocol lacks: JSON with {@code do}, {@code connection} and {@code statement}. The
 * answer is the {@link Backend}'s, or {@code {"error": text, "number": …, "state": …}}.
 */
final class Extensions {
  private static final Set<String> OF_STATEMENTS = Set.of("bound", "setBound", "cancel");
  private static final Set<String> LISTINGS = Set.of("primaryKeys", "functions", "functionColumns");
  private static final int OK = 200;
  private static final int FAILED = 500;

  private final ClientConnections connections;
  private final BackendCalls backend;

  Extensions(ClientConnections connections, BackendCalls backend) {
    this.connections = connections;
    this.backend = backend;
  }

  Answer answer(byte[] body) {
    try {
      return new Answer(OK, bytes(answer(BackendCalls.read(body))));
    } catch (RuntimeException e) {
      ServeException told = RequestHandlers.toServeException(e);
      ObjectNode error = JsonNodeFactory.instance.objectNode();
      error.put("error", told.getErrorMessage()).put("number", told.getErrorCode()).put("state", told.getSqlState());
      return new Answer(FAILED, bytes(error));
    }
  }

  private JsonNode answer(JsonNode request) {
    String what = request.path("do").asText();
    boolean listing = LISTINGS.contains(what);
    if (!listing && !OF_STATEMENTS.contains(what)) {
      throw ServeException.of("RT0646", "The request cannot be read", null);
    }
    return connections.with(request.path("connection").asText(null), connection -> {
      int id = listing ? 0 : connection.statement(request.path("statement").asInt(-1)).id;
      return backend.call(what, connection.id, id, given -> request.properties().forEach(field -> {
        if (!given.has(field.getKey())) {
          given.set(field.getKey(), field.getValue());
        }
      }));
    });
  }

  private static byte[] bytes(JsonNode json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }
}
