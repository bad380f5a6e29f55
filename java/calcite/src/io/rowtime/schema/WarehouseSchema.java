package io.rowtime.schema;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;

/**
 * The tables, the streams with history, and the views over them of one warehouse. A statement uses the catalog at the
 * time of planning, and the newest version of each table at the time of execution.
 */
final class WarehouseSchema extends AbstractSchema {
  private final WarehouseCatalog catalog;
  private long version = -1;
  private Map<String, Table> tables = Map.of();

  WarehouseSchema(SchemaPlus parent, String name, Path warehouse) {
    this.catalog = new WarehouseCatalog(warehouse);
    // Fail when a connection is opened if there is no warehouse.
    getTableMap();
  }

  @Override protected synchronized Map<String, Table> getTableMap() {
    WarehouseCatalog.State state = catalog.state();
    if (state.version() != version) {
      Map<String, Table> found = new LinkedHashMap<>();
      for (CatalogObject object : state.objects()) {
        if (isReadable(object, state.snapshot())) {
          found.put(object.name(), object.isView() ? new ViewTable(object, state.snapshot()) : new LogTable(object, state));
        }
      }
      tables = found;
      version = state.version();
    }
    return tables;
  }

  /** A view is readable if everything that it reads is. */
  private static boolean isReadable(CatalogObject object, CatalogSnapshot catalog) {
    if (object.isView()) {
      return object.uses().stream().map(catalog::find).allMatch(used -> used != null && isReadable(used, catalog));
    }
    return !object.isSystem() && object.relational() && !object.kind().startsWith("FOREIGN");
  }
}
