package io.rowtime.plan.build;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.physical.HistoryNeeds;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.ChangeScan;
import io.rowtime.plan.rel.LatenessFilter;
import io.rowtime.plan.rel.SnapshotScan;
import io.rowtime.plan.rewrite.TemporalJoins;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Makes the sources of rows and their clocks: scans, and views with LATENESS. */
final class ScanRules {
  private final NodeBuilder nodes;
  private final PlannedQuery plan;
  private final Set<RelNode> fromBeginning;
  private final Map<RelNode, Long> clockShifts;
  private final HistoryNeeds history;

  ScanRules(NodeBuilder nodes, PlannedQuery plan) {
    this.nodes = nodes;
    this.plan = plan;
    this.fromBeginning = TemporalJoins.fromBeginning(plan.rel());
    this.clockShifts = TemporalJoins.clockShifts(plan.rel(), plan.orders());
    this.history = HistoryNeeds.of(plan.rel());
  }

  Operator scan(TableScan scan) {
    CatalogObject object = scan.getTable().unwrapOrThrow(CatalogTable.class).object();
    if (scan instanceof ChangeScan) {
      return new Operator.Scan(object.name(), SourceIdentity.of(object), "TABLE", Operator.Scan.Mode.CHANGES, null, null, null, null, null, false, false);
    }
    boolean streaming = plan.streams().contains(scan);
    boolean foreign = streaming && object.kind().equals("FOREIGN STREAM");
    if (foreign) {
      checkWatermarks(object, bound(scan));
    }
    return new Operator.Scan(object.name(), SourceIdentity.of(object), object.isMaterializedView() ? "TABLE" : object.kind(),
        streaming ? Operator.Scan.Mode.STREAM : Operator.Scan.Mode.RELATION, bound(scan), streaming ? null : history.of(scan),
        fromBeginning.contains(scan) ? Operator.Scan.Start.EARLIEST : null, streaming && object.kind().equals("STREAM") ? clockShifts.get(scan) : null,
        scan instanceof SnapshotScan snapshot ? snapshot.asOf() : null, isInOrder(scan, object),
        foreign && object.columns().stream().anyMatch(column -> column.watermark() != null));
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
  private void checkWatermarks(CatalogObject object, String clock) {
    for (CatalogColumn column : object.columns()) {
      boolean rowtime = column.name().equals(CatalogObject.ROWTIME);
      nodes.refuseIf(column.watermark() != null && !rowtime, "WATERMARK on column '" + column.name() + "' of the foreign stream '"
          + object.name() + "' (a pump can copy its rows into a stream, whose columns can have a WATERMARK)");
      nodes.refuseIf(column.watermark() != null && rowtime && clock == null, "the WATERMARK of the foreign stream '" + object.name()
          + "' in a query with another clock (put a pump and a stream in between)");
    }
  }

  /** Returns the column whose bound is the clock of the query; null if the clock comes from another node. */
  private String bound(RelNode rel) {
    int column = plan.orders().clockColumn(rel);
    return column < 0 ? null : rel.getRowType().getFieldNames().get(column);
  }

  Operator lateness(LatenessFilter filter) {
    List<Operator.LatenessColumn> columns = new ArrayList<>();
    RexBuilder builder = filter.getCluster().getRexBuilder();
    filter.amounts().forEach((index, amount) -> {
      boolean time = SqlTypeUtil.isDatetime(filter.getRowType().getFieldList().get(index).getType());
      columns.add(new Operator.LatenessColumn(index, nodes.expressions().of(
          time ? Closing.interval(builder, amount.longValue()) : builder.makeExactLiteral(amount))));
    });
    return new Operator.Lateness(columns, bound(filter));
  }
}
