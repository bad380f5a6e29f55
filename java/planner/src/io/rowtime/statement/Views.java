package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.parse.SqlText;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.plan.build.PhysicalPlans;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.sql.SqlCreateView;
import io.rowtime.validate.Environment;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlNode;

/** CREATE VIEW: a relation, which can be read as a stream if its inputs can. */
final class Views {
  private final Environment environment;

  Views(Environment environment) {
    this.environment = environment;
  }

  PlanResult create(SqlCreateView create) {
    PlanResult outcome = new PlanResult(StatementType.DEFINITION, "CREATE VIEW");
    String name = Names.fresh(create.name);
    String sql = SqlText.of(create);
    String query = SqlText.of(create.query);
    List<String> uses = Definition.uses(environment.catalog(), create.query);
    PlannedQuery planned = plan(create.query);
    List<CatalogColumn> columns = ViewColumns.of(create.columns, create.query, planned.rel().getRowType());
    CatalogObject object = new CatalogObject(name, CatalogObject.VIEW, columns, List.of(), Map.of(), query, false, uses, sql);
    if (uses.stream().anyMatch(name::equalsIgnoreCase)) {
      throw new DiagnosticException("RT0302", create.name.getParserPosition(), "View '" + name + "' reads itself", "give the new view another name");
    }
    if (Definition.admit(environment.catalog(), object, create.getReplace(), create.ifNotExists, create.name, outcome)) {
      Definition.requireSameColumns(environment.catalog(), object, create.name);
      List<String> running = running(object);
      outcome.change(Definition.create(object, create.getReplace()));
      if (!running.isEmpty()) {
        // Whether their saved state fits the new query is known where they run.
        outcome.change(Definition.replan(running).put("view", name));
      }
    }
    outcome.object(name).plan(planned);
    environment.catalog().latenessOfView(name).keySet().stream().filter(c -> columns.stream().noneMatch(column -> column.name().equalsIgnoreCase(c)))
        .forEach(c -> outcome.warn(Diagnostic.warning("RT0315", create.name.getParserPosition(),
            "LATENESS was declared for '" + name + "." + c + "', but the view has no such column", "check the name in the LATENESS statement")));
    return outcome;
  }

  /** Returns the pumps and materialized views that run with an earlier query of a view. */
  private List<String> running(CatalogObject view) {
    CatalogObject old = environment.catalog().find(view.name());
    if (old == null || old.query().equals(view.query())) {
      return List.of();
    }
    return environment.catalog().dependents(view.name()).stream().filter(user -> user.isPump() && (user.started() || user.isMaterializedView()))
        .map(CatalogObject::name).toList();
  }

  /** Plans the body of a view: with rows that are final, or, if only that can run, with a result that changes. */
  private PlannedQuery plan(SqlNode query) {
    QueryPlanner planner = new QueryPlanner(environment);
    PlannedQuery planned = planner.planView(query);
    if (planned.streaming() && !runs(planned)) {
      PlannedQuery changing = planner.withChanges(planned);
      return runs(changing) ? changing : planned;
    }
    return planned;
  }

  private static boolean runs(PlannedQuery query) {
    return PhysicalPlans.of(query).notSupported().isEmpty();
  }
}
