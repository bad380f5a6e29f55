package io.rowtime.bridge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.parse.ParseErrors;
import io.rowtime.statement.PlanResult;
import io.rowtime.validate.Environment;
import java.util.List;
import java.util.Locale;

/**
 * The class that Python calls, over JPype or py4j: strings in, strings out.
 *
 * <p>It is a pure function of a catalog snapshot and a statement. It only keeps the most recent snapshots, so that Python
 * need not send them again.
 */
public final class PlannerService {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int CONTRACT_VERSION = 1;
  /** The reply that asks for the whole catalog. */
  private static final String UNKNOWN_CATALOG = "{\"unknownCatalog\":true}";
  private static final int MAX_MESSAGE_LENGTH = 1_000;

  private final Environments environments = new Environments();

  /**
   * Plans one statement.
   *
   * @param catalogJson the catalog snapshot of the plan contract: all of it, or its key, or what has changed since another
   *     one, see {@link Environments}
   * @param requestJson {@code {"sql": …, "line": …, "column": …}}: the statement, and its position in its file. With
   *     {@code "calcite": true} the reply also has its plan in Calcite's formats, with {@code "substrait": true} as a
   *     Substrait plan; {@code "parameters"} are the values of its parameters, see {@link Bindings}. {@code {"relJson":
   *     "…"}} is a query that another program has converted, in the format of Calcite's RelJsonWriter
   * @return {@code {"version": 1, "diagnostics": […], "statement": {…} or null}}; {@link #UNKNOWN_CATALOG} if it does not
   *     have the catalog, which is then sent as a whole; the method never throws
   */
  public String plan(String catalogJson, String requestJson) {
    ObjectNode reply = JSON.createObjectNode().put("version", CONTRACT_VERSION);
    ArrayNode diagnostics = reply.putArray("diagnostics");
    reply.putNull("statement");
    int line = 1;
    int column = 1;
    List<Diagnostic> found;
    try {
      // Jackson limits the length of strings too, but its message is unclear.
      JsonNode request = Planning.isTooLong(requestJson) ? JSON.missingNode() : JSON.readTree(requestJson);
      line = request.path("line").asInt(1);
      column = request.path("column").asInt(1);
      String sql = request.path("sql").asText();
      Planning.Reply planned = request.isMissingNode() ? Planning.Reply.of(Planning.tooLong()) : reply(catalogJson, request);
      if (planned == null) {
        return UNKNOWN_CATALOG;
      }
      found = planned.diagnostics();
      new OriginsInFile(sql, line, column).move(planned.statement());
      reply.set("statement", planned.statement());
      if (planned.refusal() != null) {
        ((ObjectNode) planned.statement()).set("refusal", json(planned.refusal().shift(line, column)));
      }
    } catch (RuntimeException | JsonProcessingException e) {
      found = List.of(Diagnostic.fault(e));
    }
    for (Diagnostic d : found) {
      diagnostics.add(json(d.shift(line, column)));
    }
    return reply.toString();
  }

  /** Returns the reply to a request; null if the catalog is not known. */
  private Planning.Reply reply(String catalogJson, JsonNode request) {
    String sql = request.path("sql").asText();
    Planning.Reply planned = Planning.of(sql, () -> {
      Environment environment = environments.get(catalogJson);
      if (environment == null) {
        return null;
      }
      PlanRequest work = new PlanRequest(environment, sql, request.path("parameters"));
      List<Diagnostic> found = request.has("relJson") ? work.run(request.get("relJson").asText()) : work.run();
      PlanResult result = work.result();
      if (result != null && request.path("calcite").asBoolean()) {
        result.calcite();
      }
      if (result != null && request.path("substrait").asBoolean()) {
        result.substrait();
      }
      return new Planning.Reply(found, result == null ? null : result.json(), result == null ? null : result.refusal());
    });
    return planned == null || planned.statement() == null || Planning.fits(planned.statement()) ? planned
        : Planning.Reply.of(PlanRequest.syntax(ParseErrors.of(sql, new StackOverflowError())));
  }

  /** A message may quote the wrong part of the text, which can be very long. */
  private static String shorten(String message) {
    return message.length() <= MAX_MESSAGE_LENGTH ? message
        : message.substring(0, MAX_MESSAGE_LENGTH * 2 / 3) + " … " + message.substring(message.length() - MAX_MESSAGE_LENGTH / 3);
  }

  static ObjectNode json(Diagnostic d) {
    ObjectNode json = JSON.createObjectNode().put("severity", d.severity().name().toLowerCase(Locale.ROOT)).put("code", d.code())
        .put("message", shorten(d.message())).put("line", d.line()).put("column", d.column()).put("endLine", d.endLine())
        .put("endColumn", d.endColumn()).put("hint", d.hint());
    return d.details() == null ? json : json.put("details", d.details());
  }
}
