package io.rowtime.plan.build;

import io.rowtime.aggregate.AggregateFunction;
import io.rowtime.catalog.TypeText;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.monotone.WindowTiming;
import io.rowtime.plan.node.Column;
import io.rowtime.plan.node.ComputedCalls;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.OverWindow;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.node.SortKey;
import io.rowtime.plan.origin.Origin;
import io.rowtime.plan.physical.GroupOperator;
import io.rowtime.plan.physical.OperatorCalls;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.progress.WindowOrderliness;
import io.rowtime.plan.rel.UpdatingOver;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Makes OVER: one node for all windows of a SELECT, with the passes in which a stream goes through them. */
final class WindowRules {
  private final NodeBuilder nodes;
  private final PlannedQuery plan;

  WindowRules(NodeBuilder nodes, PlannedQuery plan) {
    this.nodes = nodes;
    this.plan = plan;
  }

  PlanNode node(Window window) {
    RelNode input = window.getInput();
    boolean streaming = plan.streams().contains(window);
    List<RelDataTypeField> fields = window.getRowType().getFieldList();
    List<OverWindow> windows = new ArrayList<>();
    int width = input.getRowType().getFieldCount();
    nodes.refuseIf(streaming && window.groups.stream().filter(WindowTiming::waitsForRows).map(group -> group.keys).distinct().count() > 1,
        "LEAD or ROWS … FOLLOWING over different partitions of a stream in one SELECT (use a sub-query)");
    for (Window.Group group : window.groups) {
      List<OverWindow.OverCall> calls = new ArrayList<>();
      for (Window.RexWinAggCall call : group.aggCalls) {
        calls.add(call(call, fields.get(width++), window));
      }
      windows.add(window(window, group, calls));
      nodes.refuseIf(Untranslated.hasMap(input.getRowType(), group.orderKeys.getKeys()), "OVER in order of a MAP");
      nodes.refuseIf(!streaming && Untranslated.hasMap(input.getRowType(), group.keys), "PARTITION BY a MAP in OVER of a relation");
      checkExclusion(window, group);
      if (streaming) {
        checkSupported(window, group);
      } else {
        group.aggCalls.forEach(this::checkSupported);
      }
    }
    List<OverWindow.Pass> passes = new ArrayList<>();
    if (streaming) {
      WindowTiming timing = new WindowTiming(window, plan.orders().of(input));
      timing.passes().forEach(pass -> passes.add(pass(window, timing, pass)));
    }
    return nodes.node(window, new Operator.Window(windows, passes), nodes.inputs(window), columns(window));
  }

  /** Makes OVER whose values change. */
  PlanNode updating(UpdatingOver over) {
    List<Window.Group> groups = over.groups;
    nodes.refuseIf(groups.stream().map(group -> group.keys).distinct().count() > 1,
        "OVER with different PARTITION BY in one SELECT of a result that changes (use a sub-query)");
    nodes.refuseIf(groups.stream().map(group -> group.orderKeys.getFieldCollations()).filter(keys -> !keys.isEmpty()).distinct().count() > 1,
        "OVER with different ORDER BY in one SELECT of a result that changes (use a sub-query)");
    List<OverWindow> windows = new ArrayList<>();
    int width = over.getInput().getRowType().getFieldCount();
    for (Window.Group group : groups) {
      List<OverWindow.OverCall> calls = new ArrayList<>();
      for (Window.RexWinAggCall call : group.aggCalls) {
        calls.add(call(call, over.getRowType().getFieldList().get(width++), over));
        checkComputed(call, over, " OVER in a result that changes");
      }
      checkMonths(over, group, "OVER with a RANGE of months in a result that changes (give it in days)");
      checkExclusion(over, group);
      nodes.refuseIf(!group.orderKeys.getKeys().stream().allMatch(key -> GroupOperator.canBeKept(over.getInput().getRowType().getFieldList().get(key).getType())),
          "OVER in a result that changes, ordered by a value of several parts");
      windows.add(new OverWindow(group.keys.asList(), SortKey.of(group.orderKeys.getFieldCollations()), frame(over, group), calls, false, false,
          operator(over, group)));
    }
    return nodes.node(over, new Operator.UpdatingOver(windows), nodes.inputsInAnyOrder(over), columns(over));
  }

  private List<Column> columns(Window window) {
    List<Column> columns = new ArrayList<>(nodes.columns(window));
    int field = window.getInput().getRowType().getFieldCount();
    for (Window.Group group : window.groups) {
      for (Window.RexWinAggCall call : group.aggCalls) {
        Column column = columns.get(field);
        boolean nullable = isNullable(call, window.getRowType().getFieldList().get(field));
        columns.set(field++, new Column(column.name(), column.type(), nullable, column.monotonicity(), column.disorder()));
      }
    }
    return columns;
  }

  /** Calcite gives a SUM the type NOT NULL where it tests itself whether the frame has values; it is NULL where there are none. */
  private static boolean isNullable(Window.RexWinAggCall call, RelDataTypeField field) {
    return field.getType().isNullable() || function(call).equals("SUM");
  }

  private OverWindow window(Window window, Window.Group group, List<OverWindow.OverCall> calls) {
    boolean byTime = plan.streams().contains(window) && new WindowTiming(window, plan.orders().of(window.getInput())).arrivalKey(group) >= 0;
    return new OverWindow(group.keys.asList(), SortKey.of(group.orderKeys.getFieldCollations()), frame(window, group), calls,
        placesPeers(window, group), byTime, operator(window, group));
  }

  private OverWindow.Frame frame(Window window, Window.Group group) {
    return new OverWindow.Frame(group.isRows, border(group.lowerBound, window), border(group.upperBound, window));
  }

  /** Refuses calls over history that Spark cannot compute. */
  private void checkSupported(Window.RexWinAggCall call) {
    String function = function(call);
    boolean runs = AggregateFunction.runs(function, AggregateFunction.Use.OVER_RELATION);
    nodes.refuseIf(!runs, function + " OVER");
    nodes.refuseIf(runs && call.distinct && !AggregateFunction.named(function).distinctOfSet(),
        function + "(DISTINCT …) in a stream or a window");
  }

  /** Refuses windows over streams that are valid but cannot run yet. */
  private void checkSupported(Window window, Window.Group group) {
    WindowTiming timing = new WindowTiming(window, plan.orders().of(window.getInput()));
    boolean closes = timing.closingKey(group) >= 0;
    int key = timing.arrivalKey(group);
    nodes.refuseIf(!plan.orders().of(window.getInput()).hasClock(), "OVER on a stream whose rows have no ROWTIME");
    nodes.refuseIf(!closes && key < 0, "OVER on a stream that is ordered by something other than ROWTIME, a function of it, or an "
        + "exact number that is MONOTONIC and NOT NULL");
    nodes.refuseIf(!closes && key >= 0 && timing.relative(key) == null && timing.waitsForValues(group),
        "OVER on a stream whose frame waits for later values of a column other than ROWTIME (end it at CURRENT ROW)");
    nodes.refuseIf(!closes && key >= 0 && timing.relative(key) == null && new WindowOrderliness(plan).mixes(window, group),
        "OVER by a column other than ROWTIME above an OVER whose rows wait");
    List<WindowTiming.Pass> passes = timing.passes();
    nodes.refuseIf(passes.subList(0, passes.size() - 1).stream().anyMatch(pass -> timing.behind(pass.groups()) > 0),
        "OVER by the rows of overlapping windows beside an OVER by other rows (compute one in a sub-query with ORDER BY ROWTIME)");
    checkMonths(window, group, "OVER on a stream with a RANGE of months (give it in days)");
    group.aggCalls.forEach(call -> checkComputed(call, window, " OVER on a stream"));
  }

  /** Refuses calls that rowtime's operators cannot compute. */
  private void checkComputed(Window.RexWinAggCall call, Window window, String where) {
    String function = function(call);
    boolean runs = AggregateFunction.runs(function, AggregateFunction.Use.OVER_STREAM);
    nodes.refuseIf(!runs, function + where);
    nodes.refuseIf(ignoresNulls(call, window) && function.equals("LEAD"), "LEAD … IGNORE NULLS" + where);
    nodes.refuseIf(runs && !hasConstants(call, window), function + where + " with an argument that is not a constant");
  }

  /** Returns the calls for rowtime's own operator; null over history, and if the operator cannot compute them. */
  private ComputedCalls operator(Window window, Window.Group group) {
    if (!plan.streams().contains(window) || !group.aggCalls.stream().allMatch(call -> isComputed(call, window))) {
      return null;
    }
    OperatorCalls computed = new OperatorCalls(window.getCluster().getRexBuilder());
    for (Window.RexWinAggCall call : group.aggCalls) {
      List<RexNode> args = call.getOperands().stream().map(operand -> constant(operand, window)).toList();
      computed.addOver(new OperatorCalls.RequestedCall(function(call), args, call.distinct, ignoresNulls(call, window), null, call.getType()));
    }
    return nodes.expressions().calls(computed);
  }

  private static boolean isComputed(Window.RexWinAggCall call, Window window) {
    return AggregateFunction.runs(function(call), AggregateFunction.Use.OVER_STREAM) && hasConstants(call, window);
  }

  private static boolean hasConstants(Window.RexWinAggCall call, Window window) {
    return OperatorCalls.hasConstants(function(call), call.getOperands().stream().map(operand -> constant(operand, window)).toList());
  }

  /** Returns windows that are computed together, and how rows arrive there: the clock, and the leading ORDER BY key. */
  private OverWindow.Pass pass(Window window, WindowTiming timing, WindowTiming.Pass pass) {
    List<ClockStep> clock = pass.clock() == null ? List.of() : pass.clock();
    Window.Group first = pass.groups().get(0);
    boolean rows = pass.groups().stream().anyMatch(WindowTiming::waitsForRows);
    boolean waits = rows || pass.groups().stream().anyMatch(group -> timing.waitsForPartition(group) || timing.waitsForValues(group));
    int key = timing.arrivalKey(first);
    OverWindow.PassTime time = !timing.isByOther(key) ? null : new OverWindow.PassTime(key,
        timing.relative(key) == null ? null : Stream.concat(clock.stream(), timing.relative(key).stream()).toList());
    return new OverWindow.Pass(pass.groups().stream().map(window.groups::indexOf).toList(), clock, time, closes(window, timing, first), waits, rows);
  }

  private void checkExclusion(Window window, Window.Group group) {
    if (group.exclude != RexWindowExclusion.EXCLUDE_NO_OTHER) {
      Origin origin = plan.origins().of(window);
      nodes.refuse("EXCLUDE in a window", origin.placeOf(origin.windows().exclusion()));
    }
  }

  private void checkMonths(Window window, Window.Group group, String what) {
    if (!group.isRows && months(window, group)) {
      Origin origin = plan.origins().of(window);
      nodes.refuse(what, origin.placeOf(origin.windows().months()));
    }
  }

  private static boolean months(Window window, Window.Group group) {
    return Stream.of(group.lowerBound, group.upperBound).filter(bound -> bound.getOffset() != null)
        .anyMatch(bound -> constant(bound.getOffset(), window).getType().getSqlTypeName().isYearMonth());
  }

  /**
   * Returns whether a RANGE frame depends on single rows of history that are equal in the order; a second sort key is
   * then not possible.
   */
  private boolean placesPeers(Window window, Window.Group group) {
    if (plan.streams().contains(window) || group.isRows || group.orderKeys.getFieldCollations().size() != 1
        || months(window, group)) {
      return false;
    }
    int key = group.orderKeys.getFieldCollations().get(0).getFieldIndex();
    RelDataType type = window.getInput().getRowType().getFieldList().get(key).getType();
    boolean counted = SqlTypeUtil.isExactNumeric(type) || type.getSqlTypeName() == SqlTypeName.DATE
        || type.getSqlTypeName() == SqlTypeName.TIMESTAMP;
    boolean distances = group.lowerBound.isCurrentRow() || group.lowerBound.getOffset() != null || group.upperBound.getOffset() != null;
    return counted && distances && (group.upperBound.isCurrentRow()
        || group.aggCalls.stream().anyMatch(call -> AggregateFunction.inOrder(function(call))));
  }

  /**
   * Returns when the partition of a row is complete, and its rows have left, in the domain of the input's ROWTIME; null if it never
   * is.
   */
  private Expression closes(Window window, WindowTiming timing, Window.Group group) {
    int key = timing.closingKey(group);
    if (key < 0) {
      return null;
    }
    RexBuilder rex = window.getCluster().getRexBuilder();
    RexNode complete = new Closing(rex).of(rex.makeInputRef(window.getInput(), key), timing.relative(key));
    long leaving = timing.leaving(group);
    return nodes.expressions().of(leaving == 0 ? complete : Closing.plus(rex, complete, leaving));
  }

  private OverWindow.OverCall call(Window.RexWinAggCall call, RelDataTypeField field, Window window) {
    List<RexNode> args = call.getOperands().stream().map(operand -> constant(operand, window)).toList();
    return new OverWindow.OverCall(function(call), nodes.expressions().all(args), call.distinct, ignoresNulls(call, window),
        TypeText.of(field.getType()), isNullable(call, field), field.getName());
  }

  /** The row at distance 0 is the current row itself; no other row replaces it. */
  private static boolean ignoresNulls(Window.RexWinAggCall call, Window window) {
    List<RexNode> args = call.getOperands();
    boolean itself = (function(call).equals("LAG") || function(call).equals("LEAD")) && args.size() > 1
        && constant(args.get(1), window) instanceof RexLiteral number && isZero(number);
    return call.ignoreNulls && !itself;
  }

  private static boolean isZero(RexLiteral number) {
    BigDecimal value = number.getValueAs(BigDecimal.class);
    return value != null && value.signum() == 0;
  }

  /** Returns the function's name without the marker of functions that Calcite defines differently. */
  private static String function(Window.RexWinAggCall call) {
    return call.getOperator().getName().replace("$", "");
  }

  private OverWindow.Border border(RexWindowBound bound, Window window) {
    OverWindow.BorderKind kind = bound.isCurrentRow() ? OverWindow.BorderKind.CURRENT_ROW
        : bound.isPreceding() ? bound.isUnbounded() ? OverWindow.BorderKind.UNBOUNDED_PRECEDING : OverWindow.BorderKind.PRECEDING
            : bound.isUnbounded() ? OverWindow.BorderKind.UNBOUNDED_FOLLOWING : OverWindow.BorderKind.FOLLOWING;
    return new OverWindow.Border(kind, bound.getOffset() == null ? null : nodes.expressions().of(constant(bound.getOffset(), window)));
  }

  /** Calcite appends a window's constants to the input's columns; this replaces such a reference by the constant. */
  private static RexNode constant(RexNode node, Window window) {
    int width = window.getInput().getRowType().getFieldCount();
    return node.accept(new RexShuttle() {
      @Override public RexNode visitInputRef(RexInputRef ref) {
        if (ref.getIndex() < width) {
          return ref;
        }
        RexLiteral literal = window.constants.get(ref.getIndex() - width);
        return literal;
      }
    });
  }
}
