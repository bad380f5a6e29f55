package io.rowtime.statement;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.StoredSql;
import io.rowtime.catalog.TypeText;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.sql.SqlCreateMaterializedView;
import io.rowtime.validate.Environment;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The views and pumps that use a stream or table which gets more columns: those that name their columns go on. */
final class Dependents {
  private final CatalogSnapshot before;
  private final Environment after;
  private final CatalogObject changed;

  Dependents(CatalogSnapshot before, CatalogObject changed) {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    change.putArray("objects").add(Definition.create(changed, true).get("object"));
    this.before = before;
    this.after = new Environment(before.with(change));
    this.changed = changed;
  }

  /** Returns the views and pumps that would have other columns, or would not be valid. */
  List<CatalogObject> misfits() {
    return before.dependents(changed.name()).stream().filter(o -> o.isView() ? !keepsColumns(o) : o.isPump() && !isValid(o)).toList();
  }

  /**
   * Requires that no started pump writes to the object, if a column is added with a DEFAULT.
   *
   * @throws DiagnosticException (RT0303) if there is one, which would go on writing NULL until it starts again
   */
  void requireStopped(CatalogObject old, SqlParserPos place) {
    for (CatalogColumn column : changed.columns().subList(old.columns().size(), changed.columns().size())) {
      for (CatalogObject pump : before.dependents(changed.name())) {
        if (column.defaultValue() != null && pump.isPump() && pump.started() && writes(pump)) {
          throw new DiagnosticException("RT0303", place, "PUMP '" + pump.name() + "' writes to '" + old.name()
              + "' and would leave column " + column.name() + " without its DEFAULT until it starts again",
              "ALTER PUMP " + pump.name() + " STOP first, and START it afterwards");
        }
      }
    }
  }

  private boolean writes(CatalogObject pump) {
    return StoredSql.query(pump) instanceof SqlInsert insert && insert.getTargetTable() instanceof SqlIdentifier id
        && changed.name().equalsIgnoreCase(String.join(".", id.names));
  }

  private boolean keepsColumns(CatalogObject view) {
    try {
      List<String> types = new ArrayList<>();
      for (RelDataTypeField field : new QueryPlanner(after).planView(StoredSql.query(view)).rel().getRowType().getFieldList()) {
        types.add(TypeText.of(field.getType()));
      }
      return types.equals(view.columns().stream().map(CatalogColumn::type).toList());
    } catch (DiagnosticException e) {
      return false;
    }
  }

  private boolean isValid(CatalogObject pump) {
    try {
      if (pump.isMaterializedView()) {
        new MaterializedViews(after).create((SqlCreateMaterializedView) StoredSql.query(pump));
      } else {
        new Inserts(after).insert((SqlInsert) StoredSql.query(pump), true);
      }
      return true;
    } catch (DiagnosticException e) {
      return false;
    }
  }
}
