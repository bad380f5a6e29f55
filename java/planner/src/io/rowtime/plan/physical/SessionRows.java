package io.rowtime.plan.physical;

import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.rel.SessionAggregate;
import io.rowtime.plan.rel.SessionWindows;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Splits a GROUP BY SESSION whose functions need all values of a session, such as MEDIAN, in two: each row gets the
 * start and end of its session, with which it is emitted once the session is over; then the rows are grouped by those.
 * A group is complete as soon as its rows arrive.
 */
final class SessionRows {
  private final SessionAggregate aggregate;
  private final RexBuilder rex;

  private SessionRows(SessionAggregate aggregate) {
    this.aggregate = aggregate;
    this.rex = aggregate.getCluster().getRexBuilder();
  }

  /** Returns the same groups, computed from rows with their sessions; returns sessions that keep no rows unchanged. */
  static RelNode of(SessionAggregate aggregate) {
    return GroupOperator.of(aggregate) == GroupOperator.SESSIONS ? aggregate : new SessionRows(aggregate).grouped();
  }

  private RelNode grouped() {
    RelNode rows = rows();
    int start = aggregate.getInput().getRowType().getFieldCount();
    ImmutableBitSet keys = aggregate.getGroupSet().clear(aggregate.timeKey()).union(ImmutableBitSet.of(start, start + 1));
    List<AggregateCall> calls = aggregate.getAggCallList().stream().filter(call -> !aggregate.isLatest(call)).toList();
    RelNode groups = LogicalAggregate.create(rows, List.of(), keys, null, calls);
    RexNode end = rex.makeInputRef(groups, keys.indexOf(start + 1));
    List<RexNode> results = new ArrayList<>();
    for (int key : aggregate.getGroupSet()) {
      results.add(rex.makeInputRef(groups, keys.indexOf(key == aggregate.timeKey() ? start : key)));
    }
    int next = keys.cardinality();
    for (AggregateCall call : aggregate.getAggCallList()) {
      // The session ends one gap after its latest row.
      results.add(aggregate.isLatest(call) ? Closing.plus(rex, end, -aggregate.gap()) : rex.makeInputRef(groups, next++));
    }
    return TypedProject.of(groups, results, aggregate.getRowType());
  }

  /** Returns the input's rows with their sessions. Functions need to see which of their arguments are constants. */
  private RelNode rows() {
    RelNode input = aggregate.getInput();
    RelDataTypeFactory types = input.getCluster().getTypeFactory();
    RelDataType timestamp = types.createSqlType(SqlTypeName.TIMESTAMP, 3);
    RelDataType rowType = types.builder().addAll(input.getRowType().getFieldList()).add("$session_start", timestamp)
        .add("$session_end", timestamp).build();
    RelNode windows = new SessionWindows(input.getCluster(), input.getTraitSet(), input, rowType, aggregate.timeKey(),
        aggregate.getGroupSet().clear(aggregate.timeKey()).asList(), aggregate.gap());
    List<RexNode> exprs = new ArrayList<>();
    for (int i = 0; i < rowType.getFieldCount(); i++) {
      boolean constant = input instanceof Project project && i < project.getProjects().size() && project.getProjects().get(i) instanceof RexLiteral;
      exprs.add(constant ? ((Project) input).getProjects().get(i) : rex.makeInputRef(windows, i));
    }
    return LogicalProject.create(windows, List.of(), exprs, rowType, Set.of());
  }
}
