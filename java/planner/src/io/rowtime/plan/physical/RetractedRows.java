package io.rowtime.plan.physical;

import io.rowtime.plan.monotone.GroupingSets;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.progress.KeyClosing;
import io.rowtime.plan.rel.ChangeScan;
import io.rowtime.plan.rel.ChangingRows;
import io.rowtime.plan.rel.SessionAggregate;
import io.rowtime.plan.rel.TopN;
import io.rowtime.plan.rel.UpdatingJoin;
import java.util.function.Predicate;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Window;

/** Determines which rows below TO_CHANGELOG can be retracted, before the nodes of the plan are made. */
public final class RetractedRows {
  private final StreamingNodes streams;
  private final OrderAnalysis orders;
  /** Which windows become a Top-N whose partitions are never complete, or have values that change. */
  private final Predicate<Window> windows;

  public RetractedRows(StreamingNodes streams, OrderAnalysis orders) {
    this(streams, orders, window -> false);
  }

  RetractedRows(StreamingNodes streams, OrderAnalysis orders, Predicate<Window> windows) {
    this.streams = streams;
    this.orders = orders;
    this.windows = windows;
  }

  /** Returns whether rows of a node can be retracted. */
  public boolean of(RelNode rel) {
    if (rel instanceof Aggregate aggregate) {
      return updates(aggregate);
    }
    if (rel instanceof UpdatingJoin join) {
      return !UpdatingJoin.onlyAdds(join.getJoinType()) || join.getInputs().stream().anyMatch(this::of);
    }
    if (rel instanceof ChangingRows || rel instanceof ChangeScan) {
      return true;
    }
    if (rel instanceof TopN rows) {
      return rows.partitions() != TopN.Partitions.END;
    }
    return rel instanceof Window window ? windows.test(window)
        : (rel instanceof Project || rel instanceof Filter || rel instanceof Union) && rel.getInputs().stream().anyMatch(this::of);
  }

  /** Returns whether rows of a node have no order by which they could be merged with those of streams. */
  public boolean areUnordered(RelNode rel) {
    return of(rel) || rel instanceof UpdatingJoin
        || (rel instanceof Project || rel instanceof Filter || rel instanceof Union) && rel.getInputs().stream().anyMatch(this::areUnordered);
  }

  /** Returns whether the results of a GROUP BY are retracted when they change: its keys say nothing of when a group is complete. */
  public boolean updates(Aggregate aggregate) {
    return streams.contains(aggregate) && !(aggregate instanceof SessionAggregate) && HopAggregation.of(aggregate, orders) == null
        && GroupingSets.progressing(aggregate, orders.of(aggregate.getInput())).isEmpty() && KeyClosing.of(aggregate, orders) == null;
  }
}
