package io.rowtime.schema;

import io.rowtime.catalog.CatalogObject;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.schema.ProjectableFilterableTable;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.impl.AbstractTable;

/**
 * A table of the warehouse, or a stream with history. Only the columns that a query uses are read. Filters choose the
 * files and row groups to read; Calcite still applies them to the rows, so every filter has Calcite's semantics.
 */
final class LogTable extends AbstractTable implements ProjectableFilterableTable {
  private final CatalogObject object;
  private final StoredRows rows;

  LogTable(CatalogObject object, WarehouseCatalog.State state) {
    this.object = object;
    this.rows = new StoredRows(object, state.folders().get(object.name()), state.made().contains(object.name()),
        state.snapshot().storedNames(object.name()));
  }

  @Override public Schema.TableType getJdbcTableType() {
    return Schema.TableType.TABLE;
  }

  @Override public RelDataType getRowType(RelDataTypeFactory types) {
    return RowTypes.of(object, types);
  }

  @Override public Enumerable<Object[]> scan(DataContext root, List<RexNode> filters, int[] projects) {
    List<RelDataTypeField> columns = getRowType(root.getTypeFactory()).getFieldList();
    AtomicBoolean cancelled = DataContext.Variable.CANCEL_FLAG.get(root);
    RexBuilder rex = new RexBuilder(root.getTypeFactory());
    List<RexNode> conditions = filters.stream().map(filter -> RexUtil.expandSearch(rex, null, filter)).toList();
    return new AbstractEnumerable<>() {
      @Override public Enumerator<Object[]> enumerator() {
        return rows.read(columns, projects, conditions, cancelled);
      }
    };
  }
}
