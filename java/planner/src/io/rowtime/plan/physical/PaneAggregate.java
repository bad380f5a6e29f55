package io.rowtime.plan.physical;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.util.ImmutableBitSet;

/** The partial aggregation of a GROUP BY HOP: it groups the rows of a pane. Its first key is the start of the pane. */
final class PaneAggregate extends Aggregate {
  private PaneAggregate(RelOptCluster cluster, RelTraitSet traits, RelNode input, ImmutableBitSet keys, List<AggregateCall> calls) {
    super(cluster, traits, List.of(), input, keys, null, calls);
  }

  static PaneAggregate create(RelNode input, ImmutableBitSet keys, List<AggregateCall> calls) {
    return new PaneAggregate(input.getCluster(), input.getTraitSet(), input, keys, calls);
  }

  @Override public Aggregate copy(RelTraitSet traits, RelNode input, ImmutableBitSet keys, List<ImmutableBitSet> sets,
      List<AggregateCall> calls) {
    return new PaneAggregate(getCluster(), traits, input, keys, calls);
  }
}
