package io.rowtime.plan.rel;

import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.clock.RexConstants;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.SqlKind;
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
    while (!calls(project, aggregate.getGroupSet()) && project.getInput() instanceof LogicalProject below
        && calls(below, ImmutableBitSet.range(below.getProjects().size()))) {
      project = LogicalProject.create(below.getInput(), project.getHints(), RelOptUtil.pushPastProject(project.getProjects(), below),
          project.getRowType(), project.getVariablesSet());
    }
    for (int key : aggregate.getGroupSet()) {
      if (project.getProjects().get(key) instanceof RexCall call && call.getOperator().getName().equals(GROUP_FUNCTION)) {
        Long gap = RexConstants.millis(call.getOperands().get(1));
        if (gap == null || gap <= 0) {
          return aggregate;
        }
        RelNode input = withExpression(project, key, call.getOperands().get(0));
        return new SessionAggregate(aggregate.getCluster(), aggregate.getTraitSet(), input, aggregate.getGroupSet(),
            aggregate.getAggCallList(), key, gap);
      }
    }
    return aggregate;
  }

  /** Returns whether one of some columns of a projection is {@code SESSION(time, gap)}. */
  private static boolean calls(LogicalProject project, ImmutableBitSet columns) {
    return columns.asList().stream().anyMatch(column -> project.getProjects().get(column) instanceof RexCall call
        && call.getOperator().getName().equals(GROUP_FUNCTION));
  }

  /** Returns this aggregate in the form that {@link #of} converts: a plain one by {@code SESSION(time, gap)}. */
  public LogicalAggregate toPlain() {
    RexBuilder rex = getCluster().getRexBuilder();
    RelDataType rows = getInput().getRowType();
    LogicalProject project = getInput() instanceof LogicalProject own ? own
        : LogicalProject.create(getInput(), List.of(), rex.identityProjects(rows), rows, Set.of());
    RexNode time = project.getProjects().get(timeKey);
    RexNode session = rex.makeCall(time.getType(), SqlStdOperatorTable.SESSION_OLD, List.of(time, Closing.interval(rex, gap)));
    return LogicalAggregate.create(withExpression(project, timeKey, session), getHints(), getGroupSet(), null, getAggCallList());
  }

  private static LogicalProject withExpression(LogicalProject project, int column, RexNode expr) {
    List<RexNode> exprs = new ArrayList<>(project.getProjects());
    exprs.set(column, expr);
    return LogicalProject.create(project.getInput(), project.getHints(), exprs, project.getRowType().getFieldNames(),
        project.getVariablesSet());
  }

  /** Returns whether a call is MAX of the time that defines the sessions. */
  public boolean isLatest(AggregateCall call) {
    if (call.getAggregation().getKind() != SqlKind.MAX || call.hasFilter()) {
      return false;
    }
    int argument = call.getArgList().get(0);
    return argument == timeKey || getInput() instanceof Project project
        && isSame(project.getProjects().get(argument), project.getProjects().get(timeKey));
  }

  private static boolean isSame(RexNode one, RexNode other) {
    return one.equals(other) || one instanceof RexInputRef a && other instanceof RexInputRef b && a.getIndex() == b.getIndex();
  }

  @Override public Aggregate copy(RelTraitSet traits, RelNode input, ImmutableBitSet groupSet,
      List<ImmutableBitSet> groupSets, List<AggregateCall> calls) {
    return new SessionAggregate(getCluster(), traits, input, groupSet, calls, timeKey, gap);
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("session", timeKey).item("gap", gap);
  }
}
