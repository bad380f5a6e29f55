package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.TypeText;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Closing;
import io.rowtime.aggregate.AggregateFunction;
import io.rowtime.plan.monotone.WindowTiming;
import io.rowtime.plan.physical.OperatorCalls;
import io.rowtime.plan.physical.PlanOperator;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.progress.WindowOrderliness;
import java.math.BigDecimal;
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

/** Writes OVER: one node for all windows of a SELECT, with the passes in which a stream goes through them. */
final class WindowWriter {
  private final PlanWriter writer;
  private final PlannedQuery plan;

  WindowWriter(PlanWriter writer, PlannedQuery plan) {
    this.writer = writer;
    this.plan = plan;
  }

  ObjectNode write(Window window) {
    RelNode input = window.getInput();
    ObjectNode below = writer.node(input);
    boolean streaming = plan.streams().contains(window);
    List<RelDataTypeField> fields = window.getRowType().getFieldList();
    ArrayNode windows = PlanWriter.JSON.arrayNode();
    int width = input.getRowType().getFieldCount();
    writer.refuseIf(streaming && window.groups.stream().filter(WindowTiming::waitsForRows).map(group -> group.keys).distinct().count() > 1,
        "LEAD or ROWS … FOLLOWING over different partitions of a stream in one SELECT (use a sub-query)");
    for (Window.Group group : window.groups) {
      ArrayNode calls = PlanWriter.JSON.arrayNode();
      for (Window.RexWinAggCall call : group.aggCalls) {
        RelDataTypeField field = fields.get(width++);
        calls.add(call(call, field, window));
      }
      windows.add(window(window, group, calls));
      writer.refuseIf(group.exclude != RexWindowExclusion.EXCLUDE_NO_OTHER, "EXCLUDE in a window");
      if (streaming) {
        checkSupported(window, group);
      } else {
        group.aggCalls.forEach(this::checkSupported);
      }
    }
    ObjectNode json = writer.open(PlanOperator.WINDOW, PlanWriter.JSON.arrayNode().add(below), fields(window), window);
    json.set("windows", windows);
    ArrayNode passes = json.putArray("passes");
    if (streaming) {
      WindowTiming timing = new WindowTiming(window, plan.orders().of(input));
      timing.passes().forEach(pass -> passes.add(pass(window, timing, pass)));
    }
    return json;
  }

  private ArrayNode fields(Window window) {
    ArrayNode fields = writer.fields(window, plan.orders().of(window));
    int field = window.getInput().getRowType().getFieldCount();
    for (Window.Group group : window.groups) {
      for (Window.RexWinAggCall call : group.aggCalls) {
        ((ObjectNode) fields.get(field)).put("nullable", isNullable(call, window.getRowType().getFieldList().get(field)));
        field++;
      }
    }
    return fields;
  }

  /** Calcite gives a SUM the type NOT NULL where it tests itself whether the frame has values; it is NULL where there are none. */
  private static boolean isNullable(Window.RexWinAggCall call, RelDataTypeField field) {
    return field.getType().isNullable() || function(call).equals("SUM");
  }

  private ObjectNode window(Window window, Window.Group group, ArrayNode calls) {
    ObjectNode json = PlanWriter.JSON.objectNode();
    group.keys.forEach(json.putArray("partition")::add);
    json.set("order", SortWriter.keys(group.orderKeys.getFieldCollations()));
    ObjectNode frame = json.putObject("frame").put("rows", group.isRows);
    frame.set("lower", bound(group.lowerBound, window));
    frame.set("upper", bound(group.upperBound, window));
    json.set("calls", calls);
    json.put("placesPeers", placesPeers(window, group));
    json.put("byTime", plan.streams().contains(window)
        && new WindowTiming(window, plan.orders().of(window.getInput())).arrivalKey(group) >= 0);
    return json.set("operator", operator(window, group));
  }

  /** Refuses calls over history that Spark cannot compute. */
  private void checkSupported(Window.RexWinAggCall call) {
    String function = function(call);
    boolean runs = AggregateFunction.runs(function, AggregateFunction.Use.OVER_RELATION);
    writer.refuseIf(!runs, function + " OVER");
    writer.refuseIf(runs && call.distinct && !AggregateFunction.named(function).distinctOfSet(),
        function + "(DISTINCT …) in a stream or a window");
  }

  /** Refuses windows over streams that are valid but cannot run yet. */
  private void checkSupported(Window window, Window.Group group) {
    WindowTiming timing = new WindowTiming(window, plan.orders().of(window.getInput()));
    boolean closes = timing.closingKey(group) >= 0;
    int key = timing.arrivalKey(group);
    writer.refuseIf(!plan.orders().of(window.getInput()).hasClock(), "OVER on a stream whose rows have no ROWTIME");
    writer.refuseIf(!closes && key < 0, "OVER on a stream that is ordered by something other than ROWTIME, a function of it, or an "
        + "exact number that is MONOTONIC and NOT NULL");
    writer.refuseIf(!closes && key >= 0 && timing.relative(key) == null && timing.waitsForValues(group),
        "OVER on a stream whose frame waits for later values of a column other than ROWTIME (end it at CURRENT ROW)");
    writer.refuseIf(!closes && key >= 0 && timing.relative(key) == null && new WindowOrderliness(plan).mixes(window, group),
        "OVER by a column other than ROWTIME above an OVER whose rows wait");
    writer.refuseIf(!group.isRows && months(window, group), "OVER on a stream with a RANGE of months (give it in days)");
    for (Window.RexWinAggCall call : group.aggCalls) {
      String function = function(call);
      boolean runs = AggregateFunction.runs(function, AggregateFunction.Use.OVER_STREAM);
      writer.refuseIf(!runs, function + " OVER on a stream");
      writer.refuseIf(ignoresNulls(call, window) && function.equals("LEAD"), "LEAD … IGNORE NULLS OVER on a stream");
      writer.refuseIf(runs && !hasConstants(call, window), function + " OVER on a stream with an argument that is not a constant");
    }
  }

  /** Writes the calls for rowtime's own operator; null over history, and if the operator cannot compute them. */
  private JsonNode operator(Window window, Window.Group group) {
    if (!plan.streams().contains(window) || !group.aggCalls.stream().allMatch(call -> isComputed(call, window))) {
      return NullNode.getInstance();
    }
    OperatorCalls computed = new OperatorCalls(window.getCluster().getRexBuilder());
    for (Window.RexWinAggCall call : group.aggCalls) {
      List<RexNode> args = call.getOperands().stream().map(operand -> constant(operand, window)).toList();
      computed.addOver(new OperatorCalls.RequestedCall(function(call), args, call.distinct, ignoresNulls(call, window), null, call.getType()));
    }
    return OperatorCallWriter.write(computed, writer.rex());
  }

  private static boolean isComputed(Window.RexWinAggCall call, Window window) {
    return AggregateFunction.runs(function(call), AggregateFunction.Use.OVER_STREAM) && hasConstants(call, window);
  }

  private static boolean hasConstants(Window.RexWinAggCall call, Window window) {
    return OperatorCalls.hasConstants(function(call), call.getOperands().stream().map(operand -> constant(operand, window)).toList());
  }

  /** Writes windows that are computed together, and how rows arrive there: the clock, and the leading ORDER BY key. */
  private ObjectNode pass(Window window, WindowTiming timing, WindowTiming.Pass pass) {
    ObjectNode json = PlanWriter.JSON.objectNode();
    ArrayNode windows = json.putArray("windows");
    pass.groups().forEach(group -> windows.add(window.groups.indexOf(group)));
    List<ClockStep> clock = pass.clock() == null ? List.of() : pass.clock();
    json.set("clock", PlanWriter.clock(clock));
    Window.Group first = pass.groups().get(0);
    json.set("closes", closes(window, timing, first));
    boolean rows = pass.groups().stream().anyMatch(WindowTiming::waitsForRows);
    json.put("waits", rows || pass.groups().stream().anyMatch(group -> timing.waitsForPartition(group) || timing.waitsForValues(group)));
    json.put("waitsForRows", rows).putNull("time");
    int key = timing.arrivalKey(first);
    if (timing.isByOther(key)) {
      ObjectNode time = json.putObject("time").put("index", key);
      if (timing.relative(key) == null) {
        time.putNull("clock");
      } else {
        time.set("clock", PlanWriter.clock(Stream.concat(clock.stream(), timing.relative(key).stream()).toList()));
      }
    }
    return json;
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

  /** Writes when the partition of a row is complete, in the domain of the input's ROWTIME; null if it never is. */
  private JsonNode closes(Window window, WindowTiming timing, Window.Group group) {
    int key = timing.closingKey(group);
    if (key < 0) {
      return NullNode.getInstance();
    }
    RexBuilder rex = window.getCluster().getRexBuilder();
    return writer.rex().write(new Closing(rex).of(rex.makeInputRef(window.getInput(), key), timing.relative(key)));
  }

  private ObjectNode call(Window.RexWinAggCall call, RelDataTypeField field, Window window) {
    ObjectNode json = PlanWriter.JSON.objectNode();
    json.put("function", function(call));
    json.set("args", writer.rex().writeAll(call.getOperands().stream().map(o -> constant(o, window)).toList()));
    return json.put("distinct", call.distinct).put("ignoreNulls", ignoresNulls(call, window))
        .put("type", TypeText.of(field.getType())).put("nullable", isNullable(call, field)).put("name", field.getName());
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

  private ObjectNode bound(RexWindowBound bound, Window window) {
    ObjectNode json = PlanWriter.JSON.objectNode();
    String side = bound.isPreceding() ? "PRECEDING" : "FOLLOWING";
    json.put("kind", bound.isCurrentRow() ? "CURRENT_ROW" : bound.isUnbounded() ? "UNBOUNDED_" + side : side);
    if (bound.getOffset() == null) {
      json.putNull("offset");
    } else {
      json.set("offset", writer.rex().write(constant(bound.getOffset(), window)));
    }
    return json;
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
