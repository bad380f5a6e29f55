package io.rowtime.plan.progress;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.plan.monotone.SortOrder;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.LatenessFilter;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.SessionWindows;
import io.rowtime.plan.rel.TemporalJoin;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Chooses the columns that are the clock of a query. A query has one clock, on which all of its state depends: usually
 * ROWTIME, or a column with LATENESS or MONOTONIC if the query groups or sorts by it.
 */
public final class ClockChoice {
  /** The number of choices that are tried for a query over many sources with many ordered columns. */
  private static final int MAX_CHOICES = 64;

  private final StreamingNodes streams;
  /** Returns whether the clock may be something other than a time. Merging requires ROWTIME. */
  private final boolean any;

  private ClockChoice(StreamingNodes streams, boolean any) {
    this.streams = streams;
    this.any = any;
  }

  /**
   * Returns the orders of a plan's nodes with the first clock with which all of its state makes progress; if there is
   * none, with ROWTIME.
   */
  public static OrderAnalysis orders(RelNode plan, StreamingNodes streams) {
    OrderAnalysis usual = new OrderAnalysis(streams);
    // Joins of streams depend on ROWTIME.
    if (streams.contains(plan) && Plans.nodes(plan).anyMatch(rel -> rel instanceof IntervalJoin || rel instanceof TemporalJoin)) {
      return SourceClocks.of(plan, streams, usual);
    }
    if (!streams.contains(plan) || serves(plan, streams, usual)) {
      return usual;
    }
    List<List<Map<RelNode, Integer>>> choices = new ArrayList<>();
    new ClockChoice(streams, !merges(plan, streams)).candidates(plan, choices);
    List<Map<RelNode, Integer>> combined = List.of(Map.of());
    for (List<Map<RelNode, Integer>> choice : choices) {
      List<Map<RelNode, Integer>> next = new ArrayList<>();
      for (Map<RelNode, Integer> before : combined) {
        for (Map<RelNode, Integer> one : choice) {
          Map<RelNode, Integer> both = new IdentityHashMap<>(before);
          both.putAll(one);
          next.add(both);
        }
      }
      combined = next.size() > MAX_CHOICES ? next.subList(0, MAX_CHOICES) : next;
    }
    for (Map<RelNode, Integer> clocks : combined) {
      OrderAnalysis orders = new OrderAnalysis(streams, clocks);
      if (!clocks.isEmpty() && serves(plan, streams, orders)) {
        return orders;
      }
    }
    return usual;
  }

  private static boolean serves(RelNode rel, StreamingNodes streams, OrderAnalysis orders) {
    if (!streams.contains(rel)) {
      return true;
    }
    boolean here = rel instanceof Aggregate aggregate ? KeyClosing.of(aggregate, orders) != null
        : rel instanceof SessionWindows sessions ? orders.of(sessions.getInput()).isByClock(sessions.time())
        : !(rel instanceof Sort sort) || SortOrder.steps(sort, orders) != null;
    return here && rel.getInputs().stream().allMatch(input -> serves(input, streams, orders));
  }

  private static boolean merges(RelNode rel, StreamingNodes streams) {
    return streams.contains(rel) && (rel instanceof Union || rel.getInputs().stream().anyMatch(input -> merges(input, streams)));
  }

  /** Adds, for each source, the columns that can be its clock: its own, or those of a view with LATENESS over it. */
  private void candidates(RelNode rel, List<List<Map<RelNode, Integer>>> choices) {
    if (!streams.contains(rel)) {
      return;
    }
    int before = choices.size();
    rel.getInputs().forEach(input -> candidates(input, choices));
    if (rel instanceof TableScan scan) {
      CatalogObject object = scan.getTable().unwrapOrThrow(CatalogTable.class).object();
      List<Map<RelNode, Integer>> found = new ArrayList<>();
      for (int i = 0; i < object.columns().size(); i++) {
        CatalogColumn column = object.columns().get(i);
        boolean rowtime = object.isStream() && column.name().equals(CatalogObject.ROWTIME);
        if (rowtime || OrderAnalysis.canBeClock(object, column) && (any || column.isTime())) {
          found.add(Map.of(scan, i));
        }
      }
      choices.add(found.isEmpty() ? new ArrayList<>(List.of(Map.of())) : found);
    } else if (rel instanceof LatenessFilter filter && choices.size() == before + 1) {
      for (int index : filter.amounts().keySet()) {
        RelDataTypeField field = filter.getRowType().getFieldList().get(index);
        if (field.getType().getSqlTypeName() == SqlTypeName.TIMESTAMP) {
          choices.get(before).add(Map.of(filter, index));
        }
      }
    }
  }
}
