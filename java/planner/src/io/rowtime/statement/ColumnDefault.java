package io.rowtime.statement;

import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.parse.Parsers;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.plan.build.PhysicalPlans;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.validate.Environment;
import io.rowtime.validate.ValidationErrors;
import java.util.List;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Checks the DEFAULT of a column by planning it as an INSERT does, so that no later INSERT refuses it. */
final class ColumnDefault {
  private final Environment environment;

  ColumnDefault(Environment environment) {
    this.environment = environment;
  }

  /**
   * Returns the errors of a DEFAULT.
   *
   * @param sql the text of the expression
   * @param type the type of the column
   * @param place the position of the expression
   */
  List<Diagnostic> check(String sql, String type, SqlParserPos place) {
    try {
      PlannedQuery query = new QueryPlanner(environment).plan(Parsers.parseStatement("SELECT CAST(" + sql + " AS " + type + ") AS C"));
      List<String> notSupported = PhysicalPlans.of(query).notSupported();
      boolean expression = query.rel() instanceof Values || query.rel() instanceof Project project && project.getInput() instanceof Values;
      return expression ? notSupported.stream().map(what -> Diagnostic.error("RT0900", place, "not supported yet: " + what, null)).toList()
          : List.of(Diagnostic.error("RT0307", place, "DEFAULT must be an expression without sub-queries, aggregates and OVER", null));
    } catch (SqlParseException e) {
      throw new IllegalStateException("The expression " + sql + " does not parse", e);
    } catch (RuntimeException e) {
      List<Diagnostic> found = new ValidationErrors(environment.catalog()).of(e, place);
      if (found.isEmpty()) {
        throw e;
      }
      return found.stream().map(d -> Diagnostic.error(d.code(), place, d.message(), d.hint())).toList();
    }
  }
}
