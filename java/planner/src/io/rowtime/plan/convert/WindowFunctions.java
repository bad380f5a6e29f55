package io.rowtime.plan.convert;

import io.rowtime.plan.clock.RexConstants;
import io.rowtime.plan.rel.SessionWindows;
import io.rowtime.validate.function.WindowFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalTableFunctionScan;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** Converts the table functions TUMBLE, HOP and SESSION to operators. A row whose time is NULL is in no window. */
final class WindowFunctions implements WindowFunction.Operators {
  private WindowFunctions() {}

  /** Returns the operator for a call of a window function; the call itself if its lengths are not constant. */
  static RelNode of(LogicalTableFunctionScan scan) {
    return ((WindowFunction) ((RexCall) scan.getCall()).getOperator()).operator(scan, new WindowFunctions());
  }

  /** TUMBLE adds two columns that depend only on the row, so a projection is enough. */
  @Override public RelNode consecutive(LogicalTableFunctionScan scan) {
    RexBuilder rex = scan.getCluster().getRexBuilder();
    List<RexNode> args = new ArrayList<>(((RexCall) scan.getCall()).getOperands());
    RexNode time = columns(args.get(0)).get(0);
    RelNode input = withTime(scan.getInput(0), time);
    args.set(0, rex.makeNotNull(time));
    RexNode start = rex.makeCall(SqlStdOperatorTable.TUMBLE_OLD, args);
    RexNode end = rex.makeCall(SqlStdOperatorTable.DATETIME_PLUS, start, args.get(1));
    List<RexNode> exprs = new ArrayList<>(rex.identityProjects(input.getRowType()));
    exprs.add(start);
    exprs.add(end);
    return LogicalProject.create(input, List.of(), exprs, scan.getRowType().getFieldNames(), Set.of());
  }

  @Override public RelNode overlapping(LogicalTableFunctionScan scan) {
    return HopCalls.tableFunction(scan);
  }

  @Override public RelNode sessions(LogicalTableFunctionScan scan) {
    List<RexNode> args = ((RexCall) scan.getCall()).getOperands();
    Long gap = RexConstants.millis(args.get(args.size() - 1));
    if (gap == null || gap <= 0) {
      return scan;
    }
    RexNode time = columns(args.get(0)).get(0);
    List<Integer> keys = args.size() < 3 ? List.of() : columns(args.get(1)).stream().map(key -> ((RexInputRef) key).getIndex()).toList();
    return new SessionWindows(scan.getCluster(), scan.getTraitSet(), withTime(scan.getInput(0), time), scan.getRowType(),
        ((RexInputRef) time).getIndex(), keys, gap);
  }

  /** Keeps the rows whose time is not NULL. */
  private static RelNode withTime(RelNode input, RexNode time) {
    return !time.getType().isNullable() ? input
        : LogicalFilter.create(input, input.getCluster().getRexBuilder().makeCall(SqlStdOperatorTable.IS_NOT_NULL, time));
  }

  /** Returns the columns that a DESCRIPTOR names. */
  static List<RexNode> columns(RexNode descriptor) {
    return ((RexCall) descriptor).getOperands();
  }
}
