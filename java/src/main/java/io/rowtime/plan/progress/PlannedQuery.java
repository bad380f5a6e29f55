package io.rowtime.plan.progress;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.plan.monotone.Orders;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.SessionWindows;
import java.util.List;
import org.apache.calcite.rel.RelNode;

/**
 * A query that was validated and converted.
 *
 * @param converted its plan as Calcite converted it, before it was rewritten
 * @param rel its plan, ready to be written
 * @param origins where its nodes come from
 * @param warnings what is worth knowing about it; a query with errors is not planned
 */
public record PlannedQuery(RelNode converted, RelNode rel, boolean streaming, StreamingNodes streams, Orders orders, Origins origins,
    List<Diagnostic> warnings) {

  /** Whether the ROWTIME that the rows have goes back, as that of rows which SESSION holds until their session is over. */
  public boolean rowtimeGoesBack() {
    int named = rel.getRowType().getFieldNames().indexOf(CatalogObject.ROWTIME);
    return streaming && named >= 0 && orders.of(rel).rowtime() != named && !orders.of(rel).fields().get(named).monotonicity().increasing()
        && Plans.nodes(rel).anyMatch(SessionWindows.class::isInstance);
  }

  /** The query with the plan of the same rows that {@code values} is, where its rows are constants. */
  public PlannedQuery computed(RelNode values) {
    return values == rel ? this
        : new PlannedQuery(converted, origins.replaced(rel, values), streaming, streams, orders, origins, warnings);
  }
}
