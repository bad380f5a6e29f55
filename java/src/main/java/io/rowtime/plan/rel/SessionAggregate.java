package io.rowtime.plan.rel;

import io.rowtime.plan.clock.RexConstants;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * GROUP BY SESSION: rows whose other keys are equal belong to one session if each comes at most one gap after the
 * previous one (as in Flink, Spark and Calcite). The group's value of the time key is its earliest time.
 */
public final class SessionAggregate extends Aggregate {
  private static final String GROUP_FUNCTION = "$SESSION";

  private final int timeKey;
  private final long gap;

  /**
   * @param timeKey the index of the field of the input, one of the keys, between whose values the gap is measured
   * @param gap the gap, in milliseconds
   */
  private SessionAggregate(RelOptCluster cluster, RelTraitSet traits, RelNode input, ImmutableBitSet groupSet,
      List<AggregateCall> calls, int timeKey, long gap) {
    super(cluster, traits, List.of(), input, groupSet, null, calls);
    this.timeKey = timeKey;
    this.gap = gap;
  }

  /** Returns a GROUP BY of some fields of the input, one of which is the time of the sessions. */
  public static SessionAggregate create(RelNode input, ImmutableBitSet groupSet, List<AggregateCall> calls, int timeKey, long gap) {
    return new SessionAggregate(input.getCluster(), input.getTraitSet(), input, groupSet, calls, timeKey, gap);
  }

  public int timeKey() {
    return timeKey;
  }

  public long gap() {
    return gap;
  }

  /**
   * Converts an aggregate by {@code SESSION(time, gap)}, which Calcite computes as a value of the row; returns any
   * other aggregate unchanged.
   */
  public static RelNode of(LogicalAggregate aggregate) {
    if (aggregate.getGroupType() != Group.SIMPLE || !(aggregate.getInput() instanceof LogicalProject project)) {
      return aggregate;
    }
    for (int key : aggregate.getGroupSet()) {
      if (project.getProjects().get(key) instanceof RexCall call && call.getOperator().getName().equals(GROUP_FUNCTION)) {
        Long gap = RexConstants.millis(call.getOperands().get(1));
        if (gap == null || gap <= 0) {
          return aggregate;
        }
        List<RexNode> exprs = new ArrayList<>(project.getProjects());
        exprs.set(key, call.getOperands().get(0));
        RelNode input = LogicalProject.create(project.getInput(), project.getHints(), exprs, project.getRowType().getFieldNames(),
            project.getVariablesSet());
        return new SessionAggregate(aggregate.getCluster(), aggregate.getTraitSet(), input, aggregate.getGroupSet(),
            aggregate.getAggCallList(), key, gap);
      }
    }
    return aggregate;
  }

  @Override public Aggregate copy(RelTraitSet traits, RelNode input, ImmutableBitSet groupSet,
      List<ImmutableBitSet> groupSets, List<AggregateCall> calls) {
    return new SessionAggregate(getCluster(), traits, input, groupSet, calls, timeKey, gap);
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("session", timeKey).item("gap", gap);
  }
}
