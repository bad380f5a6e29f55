package io.rowtime.catalog;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.lookup.LikePattern;
import org.apache.calcite.schema.lookup.Lookup;
import org.apache.calcite.schema.lookup.Named;

/**
 * The tables of a snapshot that Calcite finds by a single name. Each is made when a statement first names it: a
 * statement names few of many.
 */
public final class CatalogTables extends AbstractSchema {
  private final CatalogSnapshot catalog;
  private final Function<CatalogObject, RelDataType> rowType;
  private final Map<String, CatalogTable> made = new ConcurrentHashMap<>();
  private final Lookup<Table> tables = new ByName();

  /** @param rowType returns the row type of a catalog object */
  public CatalogTables(CatalogSnapshot catalog, Function<CatalogObject, RelDataType> rowType) {
    this.catalog = catalog;
    this.rowType = rowType;
  }

  @Override public Lookup<Table> tables() {
    return tables;
  }

  private CatalogTable table(CatalogObject object) {
    return made.computeIfAbsent(object.name(), name -> new CatalogTable(object, rowType.apply(object)));
  }

  private static boolean isOne(CatalogObject object) {
    return object != null && object.hasRows() && !object.isSystem();
  }

  private final class ByName implements Lookup<Table> {
    @Override public Table get(String name) {
      CatalogObject found = catalog.find(name);
      return isOne(found) && found.name().equals(name) ? table(found) : null;
    }

    @Override public Named<Table> getIgnoreCase(String name) {
      CatalogObject found = catalog.find(name);
      return isOne(found) ? new Named<>(found.name(), table(found)) : null;
    }

    @Override public Set<String> getNames(LikePattern pattern) {
      return catalog.objects().stream().filter(CatalogTables::isOne).map(CatalogObject::name)
          .filter(pattern.matcher()::apply).collect(Collectors.toSet());
    }
  }
}
