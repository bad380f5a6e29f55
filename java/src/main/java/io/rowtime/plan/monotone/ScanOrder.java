package io.rowtime.plan.monotone;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.plan.Constants;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.core.TableScan;

/** A source: the columns whose order its declaration promises. */
final class ScanOrder implements RelOrder<TableScan> {

  @Override public NodeOrder derive(TableScan scan, List<NodeOrder> inputs) {
    CatalogObject object = scan.getTable().unwrapOrThrow(CatalogTable.class).object();
    int clock = clockColumn(object);
    List<FieldOrder> fields = new ArrayList<>();
    for (int i = 0; i < object.columns().size(); i++) {
      CatalogColumn column = object.columns().get(i);
      fields.add(i == clock ? FieldOrder.rowtime(disorder(column)) : declared(column));
    }
    return new NodeOrder(fields, clock < 0 ? null : List.of(), clock);
  }

  /** ROWTIME where the source is a stream; else the first timestamp with a declared order is its time. */
  private static int clockColumn(CatalogObject object) {
    List<CatalogColumn> columns = object.columns();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(CatalogObject.ROWTIME) && (object.isStream() || columns.get(i).isOrdered())) {
        return i;
      }
    }
    for (int i = 0; i < columns.size(); i++) {
      CatalogColumn column = columns.get(i);
      if (column.type().startsWith("TIMESTAMP") && column.isOrdered() && !"DECREASING".equals(column.monotonic())) {
        return i;
      }
    }
    return -1;
  }

  private static FieldOrder declared(CatalogColumn column) {
    if (column.monotonic() != null) {
      return FieldOrder.of(Monotonicity.valueOf(column.monotonic()), disorder(column));
    }
    return column.isOrdered() ? FieldOrder.of(Monotonicity.INCREASING, disorder(column)) : FieldOrder.NONE;
  }

  private static long disorder(CatalogColumn column) {
    return column.lateness() == null ? 0 : Constants.millis(column.lateness());
  }
}
