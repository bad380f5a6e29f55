package io.rowtime.plan.convert;

import io.rowtime.plan.clock.RexConstants;
import io.rowtime.plan.rel.HopWindows;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalTableFunctionScan;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;

/** Converts calls of HOP, as a group function or as a table function, to the operator for hopping windows. */
public final class HopCalls {
  private static final String GROUP_FUNCTION = "$HOP";

  private HopCalls() {}

  /**
   * Converts {@code TABLE(HOP(TABLE t, DESCRIPTOR(time), slide, size [, offset]))}; returns the scan itself if the
   * lengths are not constant.
   */
  static RelNode tableFunction(LogicalTableFunctionScan scan) {
    List<RexNode> args = ((RexCall) scan.getCall()).getOperands();
    HopWindows.Period period = period(args);
    if (period == null) {
      return scan;
    }
    List<String> names = scan.getRowType().getFieldNames();
    RexNode time = ((RexCall) args.get(0)).getOperands().get(0);
    HopWindows windows = HopWindows.create(scan.getInput(0), time, period, names.get(names.size() - 2), names.get(names.size() - 1));
    // If the time is a literal without fractional seconds, the windows have none either; the cast restores the type.
    return RelOptUtil.createCastRel(windows, scan.getRowType(), true);
  }

  /**
   * Converts {@code GROUP BY HOP(time, slide, size [, offset])}: Calcite computes the start of a window as a value of
   * the row.
   */
  public static RelNode groupFunction(LogicalProject project) {
    RexCall hop = find(project.getProjects());
    HopWindows.Period period = hop == null ? null : period(hop.getOperands());
    if (period == null) {
      return project;
    }
    RelNode input = project.getInput();
    RexNode time = hop.getOperands().get(0);
    if (RexUtil.findOperatorCall(RowtimeOperators.JOIN_ROWTIME, time) != null) {
      // Only a projection can ask the join below for its time.
      input = withColumn(input, time);
      time = RexInputRef.of(input.getRowType().getFieldCount() - 1, input.getRowType());
    }
    HopWindows windows = HopWindows.create(input, time, period, "$hop_start", "$hop_end");
    RexBuilder rex = project.getCluster().getRexBuilder();
    RexInputRef start = rex.makeInputRef(windows, input.getRowType().getFieldCount());
    List<RexNode> exprs = project.getProjects().stream().map(expr -> expr.accept(new RexShuttle() {
      @Override public RexNode visitCall(RexCall call) {
        return call.equals(hop) ? rex.ensureType(call.getType(), start, true) : super.visitCall(call);
      }
    })).toList();
    return LogicalProject.create(windows, project.getHints(), exprs, project.getRowType(), project.getVariablesSet());
  }

  private static RelNode withColumn(RelNode input, RexNode column) {
    List<RexNode> exprs = new ArrayList<>(input.getCluster().getRexBuilder().identityProjects(input.getRowType()));
    exprs.add(column);
    List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
    names.add("$time");
    return LogicalProject.create(input, List.of(), exprs, names, Set.of());
  }

  /**
   * Splits a projection that contains both OVER and window assignment (a GROUP BY HOP on a view with OVER) into two, so
   * that OVER sees each row once.
   */
  public static RelNode aboveWindows(LogicalProject project) {
    if (find(project.getProjects()) == null || !RexOver.containsOver(project.getProjects(), null)) {
      return project;
    }
    RexBuilder rex = project.getCluster().getRexBuilder();
    List<RexNode> below = new ArrayList<>(rex.identityProjects(project.getInput().getRowType()));
    List<String> names = new ArrayList<>(project.getInput().getRowType().getFieldNames());
    List<RexNode> above = new ArrayList<>();
    for (RexNode expr : project.getProjects()) {
      boolean over = RexOver.containsOver(expr);
      above.add(over ? rex.makeInputRef(expr.getType(), below.size()) : expr);
      if (over) {
        names.add("$over" + below.size());
        below.add(expr);
      }
    }
    RelNode windows = LogicalProject.create(project.getInput(), project.getHints(), below, names, Set.of());
    return LogicalProject.create(windows, project.getHints(), above, project.getRowType(), project.getVariablesSet());
  }

  private static RexCall find(List<RexNode> exprs) {
    List<RexCall> found = new ArrayList<>();
    exprs.forEach(expr -> expr.accept(new RexShuttle() {
      @Override public RexNode visitCall(RexCall call) {
        if (call.getOperator().getName().equals(GROUP_FUNCTION)) {
          found.add(call);
        }
        return super.visitCall(call);
      }
    }));
    return found.isEmpty() ? null : found.get(0);
  }

  /** Reads time, slide, size and offset; null if one of the lengths is not constant. */
  private static HopWindows.Period period(List<RexNode> args) {
    Long slide = RexConstants.millis(args.get(1));
    Long size = RexConstants.millis(args.get(2));
    Long offset = args.size() > 3 ? RexConstants.offset(args.get(3)) : Long.valueOf(0);
    return slide == null || size == null || offset == null || slide <= 0 || size <= 0 ? null
        : new HopWindows.Period(slide, size, Math.floorMod(offset, slide));
  }
}
