package io.rowtime.plan.build;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.PartitionClosing;
import io.rowtime.plan.monotone.SortOrder;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.SortKey;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.TopN;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/** Makes ORDER BY and Top-N, and the order in which UNION ALL merges. */
final class SortRules {
  /** The greatest limit of a Top-N whose partitions are never complete: each change of a partition reads that many rows. */
  private static final int MOST_UPDATED = 10_000;

  private final NodeBuilder nodes;
  private final PlannedQuery plan;

  SortRules(NodeBuilder nodes, PlannedQuery plan) {
    this.nodes = nodes;
    this.plan = plan;
  }

  Operator sort(Sort sort) {
    nodes.refuseIf(Untranslated.hasMap(sort.getRowType(), sort.getCollation().getKeys()), "ORDER BY a MAP");
    return new Operator.Sort(SortKey.of(sort.getCollation().getFieldCollations()), limit("offset", sort.offset), limit("fetch", sort.fetch),
        plan.streams().contains(sort) ? closes(sort) : null);
  }

  Operator topN(TopN rows) {
    PartitionClosing closing = new PartitionClosing(plan.orders().of(rows.getInput()));
    int key = closing.key(rows.partition());
    RexBuilder rex = rows.getCluster().getRexBuilder();
    RexNode closes = new Closing(rex).of(rex.makeInputRef(rows.getInput(), key), closing.steps(key));
    return new Operator.TopN(rows.partition().asList(), SortKey.of(rows.order().getFieldCollations()), rows.function(), rows.limit(),
        nodes.expressions().of(closes), rows.ranks().stream().map(TopN.Rank::function).toList());
  }

  Operator updatingTopN(TopN rows) {
    nodes.refuseIf(rows.limit() > MOST_UPDATED, "more than " + MOST_UPDATED + " first rows of a partition of a result that changes");
    return new Operator.UpdatingTopN(rows.partition().asList(), SortKey.of(rows.order().getFieldCollations()), rows.function(), rows.limit(),
        rows.ranks().stream().map(TopN.Rank::function).toList(), rows.ttl());
  }

  private Long limit(String name, RexNode value) {
    if (value instanceof RexLiteral literal) {
      return literal.getValueAs(Long.class);
    }
    nodes.refuseIf(value != null, "an expression in " + name.toUpperCase(Locale.ROOT));
    return null;
  }

  /**
   * Ordered by ROWTIME alone, a row can be emitted once the bound reaches it; with more keys, all rows of its time must
   * have arrived.
   */
  private Expression closes(Sort sort) {
    List<ClockStep> steps = SortOrder.steps(sort, plan.orders());
    if (steps == null) {
      nodes.refuse("ordering a stream by a monotonic column other than a function of ROWTIME");
      return null;
    }
    List<RelFieldCollation> keys = sort.getCollation().getFieldCollations();
    int leading = keys.get(0).getFieldIndex();
    RexBuilder rex = sort.getCluster().getRexBuilder();
    RexNode time = rex.makeInputRef(sort.getInput(), leading);
    boolean asItComes = keys.size() == 1 && steps.isEmpty();
    return nodes.expressions().of(asItComes ? new Closing(rex).timestamp(time) : new Closing(rex).of(time, steps));
  }

  /**
   * Returns the time at which a row of a branch can leave the merge: its ROWTIME; null if ROWTIME is hidden because not
   * every branch has it as a column.
   */
  Expression mergeTime(Union union) {
    NodeOrder order = plan.orders().of(union);
    nodes.refuseIf(!order.hasClock(), "UNION ALL of streams whose ROWTIMEs derive from their sources in ways that cannot be compared");
    return order.rowtime() < 0 ? null
        : nodes.expressions().of(union.getCluster().getRexBuilder().makeInputRef(union.getInput(0), order.rowtime()));
  }
}
