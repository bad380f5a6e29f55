package io.rowtime.plan.convert;

import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.rel.SessionAggregate;
import io.rowtime.plan.rel.SessionWindows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Rewrites {@code FROM SESSION(t, DESCRIPTOR(time), DESCRIPTOR(key), gap) GROUP BY window_start, window_end, key} to
 * {@code FROM t GROUP BY SESSION(time, gap), key}, which keeps no rows in state.
 */
final class SessionGroups {
  private final LogicalAggregate aggregate;
  private final Project project;
  private final SessionWindows sessions;
  private final RexBuilder rex;

  private SessionGroups(LogicalAggregate aggregate, Project project, SessionWindows sessions) {
    this.aggregate = aggregate;
    this.project = project;
    this.sessions = sessions;
    this.rex = aggregate.getCluster().getRexBuilder();
  }

  /** Returns the same groups without a window for each row; returns other nodes unchanged. */
  static RelNode of(RelNode rel) {
    return rel instanceof LogicalAggregate aggregate && aggregate.getGroupType() == Aggregate.Group.SIMPLE
        && aggregate.getInput() instanceof Project project && project.getInput() instanceof SessionWindows sessions
        ? new SessionGroups(aggregate, project, sessions).groupBySession() : rel;
  }

  private RelNode groupBySession() {
    Map<Integer, Integer> keys = new HashMap<>();
    for (int key : aggregate.getGroupSet()) {
      if (!(project.getProjects().get(key) instanceof RexInputRef ref) || keys.put(ref.getIndex(), key) != null) {
        return aggregate;
      }
    }
    Set<Integer> wanted = new HashSet<>(sessions.keys());
    wanted.add(sessions.start());
    wanted.add(sessions.start() + 1);
    if (!keys.keySet().equals(wanted) || wanted.contains(sessions.time())) {
      return aggregate;
    }
    int start = keys.get(sessions.start());
    int end = keys.get(sessions.start() + 1);
    for (int i = 0; i < project.getProjects().size(); i++) {
      if (i != start && i != end && readsWindow(project.getProjects().get(i))) {
        return aggregate;
      }
    }
    boolean computes = aggregate.getAggCallList().stream()
        .anyMatch(call -> call.getArgList().contains(start) || call.getArgList().contains(end));
    return computes ? aggregate : onInput(start, end);
  }

  private boolean readsWindow(RexNode expr) {
    return !RelOptUtil.InputFinder.bits(expr).intersect(
        ImmutableBitSet.of(sessions.start(), sessions.start() + 1)).isEmpty();
  }

  private RelNode onInput(int start, int end) {
    RelNode input = sessions.getInput();
    // A session starts at the earliest time of its rows, and ends one gap after the latest.
    RexNode time = rex.makeNotNull(rex.makeInputRef(input, sessions.time()));
    List<RexNode> exprs = new ArrayList<>(project.getProjects());
    exprs.set(start, time);
    exprs.set(end, time);
    RelNode rows = LogicalProject.create(input, project.getHints(), exprs, project.getRowType().getFieldNames(), project.getVariablesSet());
    List<AggregateCall> calls = new ArrayList<>(aggregate.getAggCallList());
    calls.add(AggregateCall.create(SqlParserPos.ZERO, SqlStdOperatorTable.MAX, false, false, false, List.of(), List.of(end), -1, null,
        RelCollations.EMPTY, time.getType(), "$latest"));
    ImmutableBitSet groupSet = aggregate.getGroupSet().clear(end);
    RelNode groups = SessionAggregate.create(rows, groupSet, calls, start, sessions.gap());
    List<RexNode> results = new ArrayList<>();
    List<RelDataType> types = aggregate.getRowType().getFieldList().stream().map(field -> field.getType()).toList();
    int next = 0;
    for (int key : aggregate.getGroupSet()) {
      results.add(key != end ? rex.makeInputRef(groups, next++)
          : Closing.plus(rex, rex.makeInputRef(groups, groups.getRowType().getFieldCount() - 1), sessions.gap()));
    }
    for (int i = 0; i < aggregate.getAggCallList().size(); i++) {
      results.add(rex.makeInputRef(groups, next++));
    }
    for (int i = 0; i < results.size(); i++) {
      results.set(i, rex.ensureType(types.get(i), results.get(i), true));
    }
    return LogicalProject.create(groups, List.of(), results, aggregate.getRowType().getFieldNames(), Set.of());
  }
}
