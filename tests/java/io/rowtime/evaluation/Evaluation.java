package io.rowtime.evaluation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.TypeText;
import io.rowtime.parse.Parsers;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.plan.constant.ConstantRows;
import io.rowtime.plan.constant.RowContext;
import io.rowtime.plan.build.PhysicalPlans;
import io.rowtime.plan.json.PlanWriter;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.validate.Environment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexExecutorImpl;
import org.apache.calcite.sql.parser.SqlParseException;

/**
 * Evaluates expressions with Calcite's interpreter of row expressions, for comparison with the translator. Called from
 * Python.
 */
public final class Evaluation {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Map<String, Environment> ENVIRONMENTS = new ConcurrentHashMap<>();

  private Evaluation() {}

  /** Returns the value of a constant expression: {@code {"type", "value"}} or {@code {"error"}}. */
  public static String evaluate(String expression) {
    return of(environment("{}"), expression).toString();
  }

  /**
   * Returns the values of an expression over rows.
   *
   * @param catalogJson a catalog with the table of the rows
   * @param requestJson {@code {"sql": "SELECT … FROM table", "rows": [[…], …]}}; values in the form of {@link
   *     InternalValues}
   * @return {@code {"type", "values": [{"value"} or {"error"}, …]}}, or {@code {"error"}} if the expression is not
   *     valid
   */
  public static String evaluateRows(String catalogJson, String requestJson) throws JsonProcessingException {
    JsonNode request = MAPPER.readTree(requestJson);
    // Half of a surrogate pair, which a function of Calcite may return, can only be written as an escape.
    return MAPPER.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII)
        .writeValueAsString(of(environment(catalogJson), request.get("sql").asText(), request.get("rows")));
  }

  private static Environment environment(String catalogJson) {
    return ENVIRONMENTS.computeIfAbsent(catalogJson, json -> new Environment(CatalogSnapshot.fromJson(json)));
  }

  private static ObjectNode of(Environment environment, String expression) {
    try {
      PlannedQuery planned = plan(environment, "SELECT " + expression);
      String type = TypeText.of(planned.rel().getRowType().getFieldList().get(0).getType());
      PlannedQuery folded = planned.withValues(ConstantRows.evaluate(planned.rel()));
      if (!(folded.rel() instanceof Values)) {
        return JSON.objectNode().put("error", "the expression could not be evaluated");
      }
      ObjectNode plan = PlanWriter.write(PhysicalPlans.of(folded).root());
      ObjectNode json = JSON.objectNode().put("type", type);
      json.set("value", plan.get("rows").get(0).get(0).get("value"));
      return json;
    } catch (SqlParseException | RuntimeException e) {
      return fault(e);
    }
  }

  /** Returns the value of the single column of a projection of a table, for each given row of the table. */
  private static ObjectNode of(Environment environment, String query, JsonNode rows) {
    Function1<DataContext, Object[]> compiled;
    RelDataType type;
    List<RelDataTypeField> columns;
    try {
      Project project = (Project) plan(environment, query).rel();
      RelDataType input = project.getInput().getRowType();
      columns = input.getFieldList();
      type = project.getRowType().getFieldList().get(0).getType();
      compiled = RexExecutorImpl.getExecutable(project.getCluster().getRexBuilder(), project.getProjects(), input).getFunction();
    } catch (SqlParseException | RuntimeException | AssertionError e) {
      return fault(e);
    }
    ArrayNode values = JSON.arrayNode();
    for (JsonNode row : rows) {
      Object[] record = new Object[columns.size()];
      for (int i = 0; i < record.length; i++) {
        record[i] = InternalValues.read(row.get(i), columns.get(i).getType());
      }
      try {
        values.addObject().set("value", InternalValues.write(compiled.apply(new RowContext(record))[0], type));
      } catch (RuntimeException | AssertionError | StackOverflowError e) {
        values.remove(values.size() - 1);
        values.add(fault(e));
      }
    }
    ObjectNode json = JSON.objectNode().put("type", TypeText.of(type));
    json.set("values", values);
    return json;
  }

  private static PlannedQuery plan(Environment environment, String query) throws SqlParseException {
    return new QueryPlanner(environment).plan(Parsers.parseStatement(query));
  }

  private static ObjectNode fault(Throwable fault) {
    String message = fault.getMessage();
    for (Throwable t = fault; t != null; t = t.getCause()) {
      message = t.getMessage() == null ? message : t.getMessage();
    }
    return JSON.objectNode().put("error", String.valueOf(message));
  }
}
