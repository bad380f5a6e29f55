package io.rowtime.rowfault;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** An expression has no value for a row. The message is one line of JSON, which rowtime puts into words. */
public final class RowFault extends RuntimeException {
  private static final long serialVersionUID = 1L;
  /** Begins the message; see {@code rowtime/runtime/faults.py}. */
  private static final String MARK = "rowtime-row-fault ";
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Names a row.
   *
   * @param source the stream of the row; null if it was computed from several rows
   * @param position where the row is in its stream; null if that is not known
   * @param row the values that the expression reads, as texts
   */
  RowFault(String expression, String source, String position, Map<String, String> row, RuntimeException cause) {
    super(MARK + message(expression, source, position, row, cause), cause);
  }

  private static String message(String expression, String source, String position, Map<String, String> row, RuntimeException cause) {
    ObjectNode json = JSON.createObjectNode().put("expression", expression).put("source", source).put("position", position)
        .put("reason", String.valueOf(cause.getMessage()));
    ObjectNode values = json.putObject("row");
    row.forEach(values::put);
    try {
      return JSON.writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
