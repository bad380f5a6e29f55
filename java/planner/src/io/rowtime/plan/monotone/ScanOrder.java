package io.rowtime.plan.monotone;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.constant.Distances;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.core.TableScan;

/** A source: its columns have the orders that its declaration guarantees. */
final class ScanOrder implements RelOrder<TableScan> {
  private final int clock;
  private final long ahead;

  /**
   * @param clock index of the column that is the clock of the query, or -1
   * @param ahead how far the bound of the source is ahead of the clock of the query, in milliseconds
   */
  ScanOrder(int clock, long ahead) {
    this.clock = clock;
    this.ahead = ahead;
  }

  @Override public NodeOrder derive(TableScan scan, List<NodeOrder> inputs) {
    CatalogObject object = scan.getTable().unwrapOrThrow(CatalogTable.class).object();
    List<ClockStep> steps = ClockStep.withShift(List.of(), ahead);
    List<FieldOrder> fields = new ArrayList<>();
    for (int i = 0; i < object.columns().size(); i++) {
      CatalogColumn column = object.columns().get(i);
      fields.add(i == clock ? FieldOrder.byClock(steps, disorder(column), 0) : declaredOrder(object, column));
    }
    boolean time = clock >= 0 && object.columns().get(clock).isTime();
    return new NodeOrder(fields, clock < 0 ? null : steps, time ? clock : -1);
  }

  /** Returns ROWTIME if the source is a stream; else the first timestamp that can be a clock; -1 if there is none. */
  static int clockColumn(TableScan scan) {
    CatalogObject object = scan.getTable().unwrapOrThrow(CatalogTable.class).object();
    List<CatalogColumn> columns = object.columns();
    for (int i = 0; i < columns.size(); i++) {
      if (isRowtime(object, columns.get(i))) {
        return i;
      }
    }
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).isTime() && canBeClock(object, columns.get(i))) {
        return i;
      }
    }
    return -1;
  }

  /** Returns whether the column has a bound that advances. A WATERMARK only reorders rows, and guarantees nothing. */
  static boolean canBeClock(CatalogObject source, CatalogColumn column) {
    boolean moves = column.lateness() != null || "INCREASING".equals(column.monotonic());
    // The log of a stream or table has bounds of all its columns; foreign streams only have bounds of times.
    return moves && (column.isTime() || !source.kind().startsWith("FOREIGN") && isCounted(column));
  }

  /** Returns whether values are so far apart that whole numbers, or days, can be their bounds. */
  private static boolean isCounted(CatalogColumn column) {
    return column.type().equals("DATE") || column.type().endsWith("INT") || column.type().equals("INTEGER")
        || column.type().startsWith("DECIMAL");
  }

  /** Returns whether rows come in order of this column by its name: ROWTIME of a plain table is a column like others. */
  private static boolean isRowtime(CatalogObject object, CatalogColumn column) {
    return column.name().equals(CatalogObject.ROWTIME) && (object.isStream() || column.isOrdered());
  }

  private static FieldOrder declaredOrder(CatalogObject object, CatalogColumn column) {
    if (column.monotonic() != null) {
      return FieldOrder.of(Monotonicity.valueOf(column.monotonic()), disorder(column));
    }
    return isRowtime(object, column) || column.lateness() != null
        ? FieldOrder.of(Monotonicity.INCREASING, disorder(column)) : FieldOrder.NONE;
  }

  private static long disorder(CatalogColumn column) {
    return column.lateness() == null ? 0 : FieldOrder.disorder(Distances.of(column.lateness()));
  }
}
