package io.rowtime.plan.exchange;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.validate.Environment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.externalize.RelJsonReader;
import org.apache.calcite.rel.stream.LogicalDelta;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Reads a plan that another program made with Calcite, from the JSON of its {@code RelJsonWriter}.
 *
 * <p>Calcite's reader instantiates the classes that the text names. Therefore only the operators of relational algebra
 * and Calcite's own functions are accepted.
 */
public final class RelPlanReader {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FUNCTIONS = "org.apache.calcite.sql.";
  private static final Set<String> OPERATORS = Set.of("LogicalAggregate", LogicalDelta.class.getName(), "LogicalFilter",
      "LogicalIntersect", "LogicalJoin", "LogicalMinus", "LogicalProject", "LogicalSort", "LogicalTableScan", "LogicalUnion",
      "LogicalValues");
  private static final Set<String> SUB_QUERIES = Set.of("IN", "EXISTS", "SOME", "UNIQUE", "SCALAR_QUERY", "ARRAY_QUERY_CONSTRUCTOR",
      "MAP_QUERY_CONSTRUCTOR", "MULTISET_QUERY_CONSTRUCTOR");
  private static final String HINT = "write the plan with Calcite's RelJsonWriter, over the names of the catalog";

  private RelPlanReader() {}

  /**
   * Returns the tree that {@code text} describes, over the tables of the catalog.
   *
   * @throws DiagnosticException RT0422 if the text is not such a plan, names an operator that cannot be read, or does
   *     not match the catalog
   */
  public static RelNode read(Environment environment, RelOptCluster cluster, String text) {
    check(tree(text), environment);
    try {
      return new RelJsonReader(cluster, environment.reader(), null,
          json -> json.withOperatorTable(environment.validator().getOperatorTable())).read(text);
    } catch (IOException | RuntimeException | AssertionError e) {
      throw refused("The plan does not fit the catalog: " + reason(e));
    }
  }

  private static JsonNode tree(String text) {
    try {
      JsonNode tree = JSON.readTree(text);
      if (tree.path("rels").isArray() && !tree.get("rels").isEmpty()) {
        return tree;
      }
    } catch (JsonProcessingException e) {
      throw refused("The plan is not JSON: " + e.getOriginalMessage());
    }
    throw refused("The plan has no array 'rels' of operators");
  }

  private static void check(JsonNode tree, Environment environment) {
    for (JsonNode rel : tree.get("rels")) {
      String operator = rel.path("relOp").asText();
      if (!OPERATORS.contains(operator)) {
        throw refused("The plan has the operator '" + operator + "', which cannot be read; these can: "
            + OPERATORS.stream().sorted().collect(Collectors.joining(", ")));
      }
      List<String> table = new ArrayList<>();
      rel.path("table").forEach(part -> table.add(part.asText()));
      if (operator.equals("LogicalTableScan") && environment.reader().getTable(table) == null) {
        throw refused("The plan reads '" + String.join(".", table) + "', which is not in the catalog");
      }
    }
    if (tree.findValuesAsText("kind").stream().anyMatch(SUB_QUERIES::contains)) {
      throw refused("The plan contains a sub-query, which Calcite's JSON cannot express; rewrite it as a join");
    }
    tree.findValuesAsText("class").stream().filter(name -> !name.startsWith(FUNCTIONS)).findFirst().ifPresent(name -> {
      throw refused("The plan has a function of the class '" + name + "', which is not Calcite's");
    });
  }

  private static String reason(Throwable fault) {
    Throwable cause = fault;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    // Calcite assumes that an operator has all its attributes.
    return message == null || cause instanceof NullPointerException ? "one of its operators is incomplete" : message.lines().findFirst().orElse("");
  }

  private static DiagnosticException refused(String message) {
    return new DiagnosticException("RT0422", SqlParserPos.ZERO, message, HINT);
  }
}
