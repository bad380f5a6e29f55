package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.TypeText;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.parse.SqlText;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.sql.SqlCreateView;
import io.rowtime.validate.Environment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.parser.SqlParserPos;

/** CREATE VIEW: a relation, which can be read as a stream if its inputs can. */
final class Views {
  private final Environment environment;

  Views(Environment environment) {
    this.environment = environment;
  }

  PlanResult create(SqlCreateView create) {
    PlanResult outcome = new PlanResult("CREATE VIEW");
    String name = Names.fresh(create.name);
    String sql = SqlText.of(create);
    String query = SqlText.of(create.query);
    List<String> uses = Definition.uses(environment.catalog(), create.query);
    PlannedQuery planned = new QueryPlanner(environment).planView(create.query);
    List<CatalogColumn> columns = new ArrayList<>();
    List<RelDataTypeField> fields = planned.rel().getRowType().getFieldList();
    List<SqlIdentifier> names = names(create, fields.size());
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < fields.size(); i++) {
      String column = names == null ? fields.get(i).getName() : names.get(i).getSimple();
      SqlParserPos pos = names == null ? create.query.getParserPosition() : names.get(i).getParserPosition();
      if (!seen.add(column.toUpperCase(Locale.ROOT))) {
        throw new DiagnosticException("RT0305", pos, "Column '" + column + "' occurs twice in the view", "give one of them another name");
      }
      columns.add(new CatalogColumn(column, TypeText.of(fields.get(i).getType()), fields.get(i).getType().isNullable(),
          null, null, null, null));
    }
    CatalogObject object = new CatalogObject(name, CatalogObject.VIEW, columns, List.of(), Map.of(), query, false, uses, sql);
    if (uses.stream().anyMatch(name::equalsIgnoreCase)) {
      throw new DiagnosticException("RT0302", create.name.getParserPosition(), "View '" + name + "' reads itself", "give the new view another name");
    }
    if (Definition.admit(environment.catalog(), object, create.getReplace(), create.ifNotExists, create.name, outcome)) {
      outcome.change(Definition.create(object, create.getReplace()));
    }
    outcome.object(name).plan(planned);
    environment.catalog().latenessOfView(name).keySet().stream().filter(c -> !seen.contains(c.toUpperCase(Locale.ROOT)))
        .forEach(c -> outcome.warn(Diagnostic.warning("RT0315", create.name.getParserPosition(),
            "LATENESS was declared for '" + name + "." + c + "', but the view has no such column", "check the name in the LATENESS statement")));
    return outcome;
  }

  private static List<SqlIdentifier> names(SqlCreateView create, int count) {
    if (create.columns == null || create.columns.isEmpty()) {
      return null;
    }
    if (create.columns.size() != count) {
      throw new DiagnosticException("RT0305", create.columns.getParserPosition(), "The view names " + create.columns.size()
          + " columns, but its query has " + count, "name each column of the query, in order");
    }
    List<SqlIdentifier> names = new ArrayList<>();
    create.columns.forEach(c -> names.add((SqlIdentifier) c));
    return names;
  }
}
