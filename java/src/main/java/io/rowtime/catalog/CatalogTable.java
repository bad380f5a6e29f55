package io.rowtime.catalog;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.TemporalTable;
import org.apache.calcite.schema.impl.AbstractTable;

/**
 * A catalog object as Calcite's validator sees it: a name for a row type.
 *
 * <p>It never is a {@code StreamableTable}: whether something may be streamed is judged by our own rules
 * ({@code io.rowtime.validate.rules.StreamRules}), which know of histories and declared orders. Every object counts as
 * temporal for Calcite, as {@code FOR SYSTEM_TIME AS OF} is judged by our rules, too.
 */
public final class CatalogTable extends AbstractTable implements TemporalTable {
  private final CatalogObject object;
  private final RelDataType rowType;

  public CatalogTable(CatalogObject object, RelDataType rowType) {
    this.object = object;
    this.rowType = rowType;
  }

  public CatalogObject object() {
    return object;
  }

  @Override public RelDataType getRowType(RelDataTypeFactory typeFactory) {
    return rowType;
  }

  @Override public String getSysStartFieldName() {
    return CatalogObject.ROWTIME;
  }

  @Override public String getSysEndFieldName() {
    return CatalogObject.ROWTIME;
  }
}
