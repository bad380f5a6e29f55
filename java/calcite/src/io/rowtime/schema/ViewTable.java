package io.rowtime.schema;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.validate.Environment;
import io.rowtime.validate.RowtimeTypeSystem;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;

/** A view of the warehouse. rowtime's own parser, validator and converter plan it, and Calcite executes the plan. */
final class ViewTable extends AbstractTable implements TranslatableTable {
  private final CatalogObject view;
  private final CatalogSnapshot catalog;

  ViewTable(CatalogObject view, CatalogSnapshot catalog) {
    this.view = view;
    this.catalog = catalog;
  }

  @Override public Schema.TableType getJdbcTableType() {
    return Schema.TableType.VIEW;
  }

  @Override public RelDataType getRowType(RelDataTypeFactory types) {
    return RowTypes.of(view, types);
  }

  @Override public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
    RelOptCluster cluster = context.getCluster();
    if (cluster.getTypeFactory().getTypeSystem() != RowtimeTypeSystem.INSTANCE) {
      // Otherwise a sum of INTEGERs would be an INTEGER, and could overflow, and a DECIMAL would have at most 19
      // digits.
      throw new WarehouseException("RT0900", "View '" + view.name() + "' needs the types of rowtime, and the connection has others",
          "Add ;typeSystem=" + RowtimeTypeSystem.class.getName() + "#INSTANCE to the URL of the connection", null);
    }
    RelNode rel;
    try {
      rel = new QueryPlanner(new Environment(catalog, cluster.getTypeFactory())).relation(view, cluster);
    } catch (DiagnosticException e) {
      throw new WarehouseException(e.diagnostics().get(0).code(), "View '" + view.name() + "': " + e.getMessage(),
          e.diagnostics().get(0).hint(), e);
    }
    List<String> name = table.getQualifiedName();
    RelNode scanned = rel.accept(new ViewBody(view, name.subList(0, name.size() - 1), table.getRelOptSchema(),
        cluster.getRexBuilder(), context));
    return RelOptUtil.createCastRel(scanned, table.getRowType(), true);
  }
}
