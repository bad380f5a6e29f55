package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.physical.HistoryNeeds;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.LatenessFilter;
import io.rowtime.plan.rel.SnapshotScan;
import io.rowtime.plan.rewrite.TemporalJoins;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Writes the sources of rows and their clocks: scans, and views with LATENESS. */
final class ScanWriter {
  private final PlanWriter writer;
  private final PlannedQuery plan;
  private final Set<RelNode> fromBeginning;
  private final Map<RelNode, Long> clockShifts;
  private final HistoryNeeds history;

  ScanWriter(PlanWriter writer, PlannedQuery plan) {
    this.writer = writer;
    this.plan = plan;
    this.fromBeginning = TemporalJoins.fromBeginning(plan.rel());
    this.clockShifts = TemporalJoins.clockShifts(plan.rel(), plan.orders());
    this.history = HistoryNeeds.of(plan.rel());
  }

  void write(ObjectNode json, TableScan scan) {
    CatalogObject object = scan.getTable().unwrapOrThrow(CatalogTable.class).object();
    boolean streaming = plan.streams().contains(scan);
    json.put("source", object.name()).put("kind", object.kind()).put("mode", streaming ? "stream" : "relation");
    json.put("identity", SourceIdentity.of(object));
    json.put("bound", bound(scan));
    json.put("inOrder", isInOrder(scan, object) ? "ALWAYS" : "NEVER");
    json.put("minRowtime", streaming ? null : history.of(scan));
    json.put("start", fromBeginning.contains(scan) ? "EARLIEST" : null);
    json.put("clockShift", streaming && object.kind().equals("STREAM") ? clockShifts.get(scan) : null);
    if (scan instanceof SnapshotScan snapshot) {
      json.putObject("asOf").put("by", snapshot.asOf().by().name()).put("time", snapshot.asOf().time())
          .put("shift", snapshot.asOf().shift());
    } else {
      json.putNull("asOf");
    }
    if (streaming && object.kind().equals("FOREIGN STREAM")) {
      watermarks(object, bound(scan));
    }
  }

  /**
   * Returns whether no row has a ROWTIME before that of an earlier row, or whatever column is the clock of the query.
   * LATENESS allows that, and a DataFrame may have a watermark delay of its own.
   */
  private boolean isInOrder(TableScan scan, CatalogObject object) {
    boolean foreign = object.isForeign();
    int clock = plan.orders().clockColumn(scan);
    if (clock >= 0 && !object.columns().get(clock).name().equals(CatalogObject.ROWTIME)) {
      return !foreign && plan.orders().of(scan).fields().get(clock).disorder() == 0;
    }
    Optional<CatalogColumn> rowtime = object.columns().stream().filter(column -> column.name().equals(CatalogObject.ROWTIME)).findAny();
    return rowtime.map(column -> column.lateness() == null && !(foreign && !object.connector().inOrder())).orElse(foreign);
  }

  /**
   * Refuses WATERMARKs of a foreign stream that cannot be applied: its rows wait for the clock of the query, and a
   * query has only one clock.
   */
  private void watermarks(CatalogObject object, String clock) {
    for (CatalogColumn column : object.columns()) {
      boolean rowtime = column.name().equals(CatalogObject.ROWTIME);
      writer.refuseIf(column.watermark() != null && !rowtime, "WATERMARK on column '" + column.name() + "' of the foreign stream '"
          + object.name() + "' (a pump can copy its rows into a stream, whose columns can have a WATERMARK)");
      writer.refuseIf(column.watermark() != null && rowtime && clock == null, "the WATERMARK of the foreign stream '" + object.name()
          + "' in a query with another clock (put a pump and a stream in between)");
    }
  }

  /** Returns the column whose bound is the clock of the query; null if the clock comes from another node. */
  private String bound(RelNode rel) {
    int column = plan.orders().clockColumn(rel);
    return column < 0 ? null : rel.getRowType().getFieldNames().get(column);
  }

  void write(ObjectNode json, LatenessFilter filter) {
    ArrayNode columns = json.putArray("columns");
    RexBuilder builder = filter.getCluster().getRexBuilder();
    filter.amounts().forEach((index, amount) -> {
      boolean time = SqlTypeUtil.isDatetime(filter.getRowType().getFieldList().get(index).getType());
      columns.addObject().put("index", index).set("lateness", writer.rex().write(
          time ? Closing.interval(builder, amount.longValue()) : builder.makeExactLiteral(amount)));
    });
    json.put("bound", bound(filter));
  }
}
