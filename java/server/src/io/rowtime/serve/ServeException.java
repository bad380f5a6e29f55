package io.rowtime.serve;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.AvaticaSeverity;
import org.apache.calcite.avatica.remote.AvaticaRuntimeException;
import org.apache.calcite.avatica.remote.Service.ErrorResponse;

/**
 * An error for the client: a diagnostic as text, its number as vendor code. Avatica sends stack traces; this has none.
 */
final class ServeException extends AvaticaRuntimeException {
  private static final long serialVersionUID = 1;

  private ServeException(String message, int number, String state) {
    super(message, number, state, AvaticaSeverity.ERROR);
    setStackTrace(new StackTraceElement[0]);
  }

  static ServeException of(String code, String message, String hint) {
    String text = code + ": " + message + (hint == null ? "" : "\n  hint: " + hint);
    return new ServeException(text, Integer.parseInt(code.substring(2)), state(code));
  }

  /** Avatica's clients recognize an unknown connection by this number. */
  static ServeException noConnection() {
    return new ServeException("RT0640: The connection is not open: it was closed, or was idle for too long\n  hint: Connect again",
        ErrorResponse.MISSING_CONNECTION_ERROR_CODE, "08003");
  }

  static ServeException noStatement() {
    return of("RT0641", "The statement is not open: it was closed, or belongs to another connection", "Create a new statement");
  }

  /** Returns the error for the diagnostics of a {@link Backend}'s answer. */
  static ServeException of(JsonNode errors) {
    List<String> texts = new ArrayList<>();
    for (JsonNode error : errors) {
      String place = error.path("line").isInt() ? error.get("line").asInt() + ":" + error.path("column").asInt(1) + ": " : "";
      String hint = error.path("hint").isTextual() ? "\n  hint: " + error.get("hint").asText() : "";
      texts.add(error.get("code").asText() + ": " + place + error.get("message").asText() + hint);
    }
    String code = errors.get(0).get("code").asText();
    return new ServeException(String.join("\n", texts), Integer.parseInt(code.substring(2)), state(code));
  }

  private static String state(String code) {
    return switch (code.substring(0, 4)) {
      case "RT00", "RT01", "RT02", "RT03" -> "42000";
      case "RT05" -> "22000";
      case "RT09" -> code.equals("RT0900") ? "0A000" : "HY000";
      default -> switch (code) {
        case "RT0642" -> "28000";
        case "RT0649" -> "HY008";
        default -> "HY000";
      };
    };
  }

  @Override public void printStackTrace(PrintWriter writer) {
    writer.print(getErrorMessage());
  }

  @Override public void printStackTrace(PrintStream stream) {
    stream.print(getErrorMessage());
  }

  @Override public String getMessage() {
    return getErrorMessage();
  }
}
