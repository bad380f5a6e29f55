package io.rowtime.plan.progress;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.node.Fallible;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.SessionWindows;
import java.util.List;
import org.apache.calcite.rel.RelNode;

/**
 * A validated and converted query.
 *
 * @param converted the plan as Calcite converted it, before it was rewritten
 * @param rel the plan, ready to be written
 * @param origins the origins of its nodes
 * @param warnings warnings about the query; a query with errors is not planned
 * @param upserts where its changes are applied if its result changes; null if rows have to be final
 * @param onError what becomes of a row whose values have no result
 */
public record PlannedQuery(RelNode converted, RelNode rel, boolean streaming, StreamingNodes streams, OrderAnalysis orders, Origins origins,
    List<Diagnostic> warnings, Upserts upserts, Fallible.OnError onError) {
  /**
   * A table to which changes are applied.
   *
   * @param key the columns of the query that are the table's primary key
   */
  public record Upserts(CatalogObject table, List<Integer> key) {
    /** Of a view, whose changes are applied by who reads it. */
    public static final Upserts NOWHERE = new Upserts(null, List.of());
  }

  /**
   * Returns whether the ROWTIME of the result goes back, as it does for rows that SESSION holds until their session
   * ends.
   */
  public boolean rowtimeGoesBack() {
    int named = rel.getRowType().getFieldNames().indexOf(CatalogObject.ROWTIME);
    return streaming && named >= 0 && orders.of(rel).rowtime() != named && !orders.of(rel).fields().get(named).monotonicity().increasing()
        && Plans.nodes(rel).anyMatch(SessionWindows.class::isInstance);
  }

  /** Returns the query as one whose result may change, if a table has it. */
  public PlannedQuery withUpserts(Upserts table) {
    return new PlannedQuery(converted, rel, streaming, streams, orders, origins, warnings, table, onError);
  }

  public PlannedQuery withOnError(Fallible.OnError other) {
    return new PlannedQuery(converted, rel, streaming, streams, orders, origins, warnings, upserts, other);
  }

  /** Returns the query with its plan replaced by {@code values}, which has the same rows as constants. */
  public PlannedQuery withValues(RelNode values) {
    return values == rel ? this
        : new PlannedQuery(converted, origins.recordReplacement(rel, values), streaming, streams, orders, origins, warnings, upserts, onError);
  }
}
