package io.rowtime.plan.progress;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.plan.monotone.SortOrder;
import io.rowtime.plan.monotone.Orders;
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
 * Which columns are the clock of a query. A query has one clock, by which all of its state goes: ROWTIME as a rule; a
 * column with LATENESS or MONOTONIC where that is what it groups or sorts by.
 */
public final class ClockChoice {
  /** Of queries over many sources with many ordered columns not every choice is tried. */
  private static final int MOST = 64;

  private final StreamingNodes streams;
  /** Whether a clock may be something else than a time: merging goes by ROWTIME. */
  private final boolean any;

  private ClockChoice(StreamingNodes streams, boolean any) {
    this.streams = streams;
    this.any = any;
  }

  /** The orders of a plan's nodes by the first clock with which all of its state makes progress; else by ROWTIME. */
  public static Orders orders(RelNode plan, StreamingNodes streams) {
    Orders usual = new Orders(streams);
    // Joins of streams go by ROWTIME.
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
      combined = next.size() > MOST ? next.subList(0, MOST) : next;
    }
    for (Map<RelNode, Integer> clocks : combined) {
      Orders orders = new Orders(streams, clocks);
      if (!clocks.isEmpty() && serves(plan, streams, orders)) {
        return orders;
      }
    }
    return usual;
  }

  private static boolean serves(RelNode rel, StreamingNodes streams, Orders orders) {
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

  /** For each source the columns of it, or of a view with LATENESS over it, that can be its clock. */
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
        if (rowtime || Orders.canBeClock(object, column) && (any || column.isTime())) {
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
