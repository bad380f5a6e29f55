package io.rowtime.catalog;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.TemporalTable;
import org.apache.calcite.schema.impl.AbstractTable;

/**
 * A catalog object in the form that Calcite's validator uses: a name for a row type.
 *
 * <p>It is never a {@code StreamableTable}: our own rules ({@code io.rowtime.validate.rules.StreamRules}), which take
 * histories and declared orders into account, check what can be read as a stream. Calcite treats every object as
 * temporal, because our rules check {@code FOR SYSTEM_TIME AS OF} as well.
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
