package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.parse.Parsers;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.plan.build.PhysicalPlans;
import io.rowtime.plan.constant.ConstantRows;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.validate.Environment;
import io.rowtime.validate.ValidationErrors;
import java.util.List;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The DEFAULT of a column. It is planned when the column is declared as when an INSERT omits it, so that no INSERT refuses it. */
final class ColumnDefault {
  private final Environment environment;

  ColumnDefault(Environment environment) {
    this.environment = environment;
  }

  /** Returns the value of a column that an INSERT omits: the text of the declaration, with the meaning that it has in a query. */
  Expression value(CatalogColumn column) {
    try {
      PlannedQuery query = query(column.defaultValue(), column.type());
      Operator operator = PhysicalPlans.of(query.withValues(ConstantRows.fold(query.rel()))).root().node().operator();
      return operator instanceof Operator.Values values ? values.rows().get(0).get(0) : ((Operator.Project) operator).exprs().get(0);
    } catch (SqlParseException e) {
      throw new IllegalStateException("The expression " + column.defaultValue() + " does not parse", e);
    }
  }

  private PlannedQuery query(String sql, String type) throws SqlParseException {
    return new QueryPlanner(environment).plan(Parsers.parseStatement("SELECT CAST(" + sql + " AS " + type + ") AS C"));
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
      PlannedQuery query = query(sql, type);
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
