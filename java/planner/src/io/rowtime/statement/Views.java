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
import java.util.stream.Collectors;
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
      warnOfPumps(object, create, outcome);
      outcome.change(Definition.create(object, create.getReplace()));
    }
    outcome.object(name).plan(planned);
    environment.catalog().latenessOfView(name).keySet().stream().filter(c -> columns.stream().noneMatch(column -> column.name().equalsIgnoreCase(c)))
        .forEach(c -> outcome.warn(Diagnostic.warning("RT0315", create.name.getParserPosition(),
            "LATENESS was declared for '" + name + "." + c + "', but the view has no such column", "check the name in the LATENESS statement")));
    return outcome;
  }

  /** Warns of the pumps that run with the earlier query of a view. */
  private void warnOfPumps(CatalogObject view, SqlCreateView create, PlanResult outcome) {
    CatalogObject old = environment.catalog().find(view.name());
    if (old == null || old.query().equals(view.query())) {
      return;
    }
    List<CatalogObject> running = environment.catalog().dependents(view.name()).stream()
        .filter(user -> user.isPump() && (user.started() || user.isMaterializedView())).toList();
    if (!running.isEmpty()) {
      String names = running.stream().map(user -> user.kind() + " '" + user.name() + "'").collect(Collectors.joining(", "));
      CatalogObject first = running.get(0);
      outcome.warn(Diagnostic.warning("RT0303", create.name.getParserPosition(),
          "'" + view.name() + "' is used by " + names + ": the new query takes effect when " + (running.size() == 1 ? "it starts" : "they start")
              + " again", first.isMaterializedView()
              ? "DROP MATERIALIZED VIEW " + first.name() + ", and create it again"
              : "ALTER PUMP " + first.name() + " STOP, then START, with RESET if its saved state does not fit"));
    }
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
