package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.parse.SqlText;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.Changelogs;
import io.rowtime.plan.rel.Plans;
import io.rowtime.sql.ObjectKind;
import io.rowtime.sql.SqlCreateMaterializedView;
import io.rowtime.validate.Environment;
import io.rowtime.validate.desugar.StreamKeyword;
import io.rowtime.validate.rules.StreamRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * CREATE MATERIALIZED VIEW: a table with the result of a streaming query, and the pump that writes to it, as one object. The
 * table is appended to if the rows of the query are final. If they change, its PRIMARY KEY is a unique key of the query.
 */
final class MaterializedViews {
  private static final String AGAIN = "drop it and create it again: it is computed from the rows that its streams still hold";

  private final Environment environment;
  private final CatalogSnapshot catalog;

  MaterializedViews(Environment environment) {
    this.environment = environment;
    this.catalog = environment.catalog();
  }

  PlanResult create(SqlCreateMaterializedView create) {
    String name = Names.fresh(create.name);
    String sql = SqlText.of(create);
    String query = SqlText.of(create.asReplacement());
    // A column may have the name of the view.
    List<String> uses = Definition.uses(catalog, create.query).stream().filter(used -> !used.equalsIgnoreCase(name)).toList();
    Map<String, String> options = options(create);
    QueryHints hints = QueryHints.of(create.query);
    PlanResult outcome = new PlanResult(StatementType.DEFINITION, "CREATE MATERIALIZED VIEW").object(name);
    PlannedQuery planned = plan(create);
    if (reads(planned.rel(), name)) {
      throw new DiagnosticException("RT0302", create.name.getParserPosition(), "Materialized view '" + name + "' reads itself",
          "give the new view another name");
    }
    List<CatalogColumn> columns = columns(create, planned.rel().getRowType());
    PlannedQuery rows = new QueryPlanner(environment).cast(planned,
        Inserts.rowType(columns, planned.rel().getRowType(), environment, create.query.getParserPosition()));
    CatalogObject view = new CatalogObject(name, CatalogObject.MATERIALIZED_VIEW, columns, List.of(), options, query, true, uses, sql);
    List<Integer> unique = Changelogs.uniqueKey(rows.rel());
    outcome.target(name, columns.stream().map(CatalogColumn::name).toList());
    outcome.plan(rows.withUpserts(new PlannedQuery.Upserts(view, unique == null ? List.of() : unique)));
    outcome.ofView();
    if (outcome.updates()) {
      checkKey(unique, rows, create.query.getParserPosition());
      List<String> key = unique.stream().map(place -> columns.get(place).name()).toList();
      outcome.upserts(key);
      view = new CatalogObject(name, CatalogObject.MATERIALIZED_VIEW, columns, key, options, query, true, uses, sql);
    }
    hints.tell(outcome, true);
    outcome.fromEarliest();
    if (Definition.admit(catalog, view, create.getReplace(), create.ifNotExists, create.name, outcome)) {
      Definition.requireSameColumns(catalog, view, create.name);
      checkReplaced(view, create.name.getParserPosition());
      outcome.change(Definition.create(view, create.getReplace()));
    }
    new Pumps(environment).warnOfLostRows(view, uses, create.name.getParserPosition(), outcome);
    return outcome;
  }

  /** Returns the error for a statement that writes to a materialized view, or changes how it is computed. */
  static DiagnosticException refused(CatalogObject view, SqlParserPos place, String what) {
    return new DiagnosticException("RT0344", place, what + " materialized view '" + view.name() + "': its rows are always the result of its query",
        "change what the query reads; or " + AGAIN.replace("it and", view.name() + " and"));
  }

  private Map<String, String> options(SqlCreateMaterializedView create) {
    List<Diagnostic> errors = new ArrayList<>();
    Map<String, String> options = new Options(errors).of(ObjectKind.MATERIALIZED_VIEW, create.options);
    if (!errors.isEmpty()) {
      throw new DiagnosticException(errors);
    }
    return options;
  }

  /** Plans the query as a streaming one, whether or not it says STREAM. */
  private PlannedQuery plan(SqlCreateMaterializedView create) {
    if (!StreamRules.streamable(catalog, create.query) && !StreamRules.checkOfChanges(catalog, create.query).isEmpty()
        && StreamRules.check(catalog, create.query, false).isEmpty()) {
      throw new DiagnosticException("RT0321", create.query.getParserPosition(), "A materialized view needs a query over streams, or over tables that change",
          "a view has the newest rows of what it reads, and CREATE TABLE … AS copies them once");
    }
    StreamKeyword.add(create.query);
    return new QueryPlanner(environment).plan(create.query, true);
  }

  private static boolean reads(RelNode query, String name) {
    return Plans.nodes(query).anyMatch(rel -> rel instanceof TableScan scan
        && scan.getTable().unwrapOrThrow(CatalogTable.class).object().name().equalsIgnoreCase(name));
  }

  private static List<CatalogColumn> columns(SqlCreateMaterializedView create, RelDataType rowType) {
    SqlParserPos place = create.query.getParserPosition();
    for (RelDataTypeField field : rowType.getFieldList()) {
      if (field.getType().getSqlTypeName() == SqlTypeName.NULL) {
        throw new DiagnosticException("RT0306", place, "Column '" + field.getName() + "' of the query is NULL and has no type", "CAST it: CAST(NULL AS INTEGER)");
      }
    }
    return ViewColumns.of(create.columns, create.query, rowType);
  }

  /** Checks that rows of a result that changes can be found again. */
  private static void checkKey(List<Integer> unique, PlannedQuery rows, SqlParserPos place) {
    PrimaryKeys.checkRenewed(unique, rows, place);
    if (unique == null) {
      throw new DiagnosticException("RT0215", place, "The result changes, and no unique key of the query is known by which its rows could be replaced",
          "select the keys of its GROUP BY as they are; or let a pump insert its changes into a table: SELECT STREAM * FROM TO_CHANGELOG((SELECT …))");
    }
    for (int column : unique) {
      PrimaryKeys.checkType(rows.rel().getRowType().getFieldList().get(column).getType(), "the materialized view", place);
    }
  }

  /** Checks that the rows of the view that is replaced can be those of the new one. Whether they are, its saved state tells. */
  private void checkReplaced(CatalogObject view, SqlParserPos place) {
    CatalogObject old = catalog.find(view.name());
    if (old != null && !(old.columns().equals(view.columns()) && old.primaryKey().equals(view.primaryKey()))) {
      throw new DiagnosticException("RT0341", place, "The rows of '" + old.name() + "' do not fit its new definition: its columns, or its key, are others", AGAIN);
    }
  }
}
