package io.rowtime.bridge;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.TypeText;
import io.rowtime.parse.Parsers;
import io.rowtime.plan.ConstantRows;
import io.rowtime.plan.Environment;
import io.rowtime.plan.PlanWriter;
import io.rowtime.plan.Planned;
import io.rowtime.plan.QueryPlanner;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.sql.parser.SqlParseException;

/** Evaluates a constant expression by Calcite's interpreter of row expressions. */
final class Evaluation {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private Evaluation() {}

  static ObjectNode of(Environment environment, String expression) {
    try {
      Planned planned = new QueryPlanner(environment).plan(Parsers.parseStatement("SELECT " + expression));
      String type = TypeText.of(planned.rel().getRowType().getFieldList().get(0).getType());
      Planned folded = ConstantRows.fold(planned, environment);
      if (!(folded.rel() instanceof Values)) {
        return JSON.objectNode().put("error", "the expression could not be evaluated");
      }
      ObjectNode plan = new PlanWriter(folded).write();
      ObjectNode json = JSON.objectNode().put("type", type);
      json.set("value", plan.get("rows").get(0).get(0).get("value"));
      return json;
    } catch (SqlParseException e) {
      return JSON.objectNode().put("error", e.getMessage());
    } catch (RuntimeException e) {
      String message = e.getMessage();
      for (Throwable t = e; t != null; t = t.getCause()) {
        message = t.getMessage() == null ? message : t.getMessage();
      }
      return JSON.objectNode().put("error", String.valueOf(message));
    }
  }
}
