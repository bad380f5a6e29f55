package io.rowtime.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.TypeText;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.WindowTiming;
import java.util.List;
import java.util.stream.Stream;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexWindowBound;

/** OVER: one node of the contract for each window, a chain of them where a SELECT has several. */
final class WindowWriter {
  private final PlanWriter writer;
  private final Planned plan;

  WindowWriter(PlanWriter writer, Planned plan) {
    this.writer = writer;
    this.plan = plan;
  }

  ObjectNode write(Window window) {
    RelNode input = window.getInput();
    ObjectNode below = writer.input(input);
    List<RelDataTypeField> fields = window.getRowType().getFieldList();
    int width = input.getRowType().getFieldCount();
    for (Window.Group group : window.groups) {
      ArrayNode columns = below.withArray("fields").deepCopy();
      ArrayNode calls = PlanWriter.JSON.arrayNode();
      for (Window.RexWinAggCall call : group.aggCalls) {
        RelDataTypeField field = fields.get(width++);
        columns.add(PlanWriter.field(field.getName(), field.getType(), FieldOrder.NONE));
        calls.add(call(call, field, window));
      }
      ObjectNode json = writer.open("window", PlanWriter.JSON.arrayNode().add(below), columns, window);
      ArrayNode partition = json.putArray("partition");
      group.keys.forEach(partition::add);
      json.set("order", SortWriter.keys(group.orderKeys.getFieldCollations()));
      ObjectNode frame = json.putObject("frame").put("rows", group.isRows);
      frame.set("lower", bound(group.lowerBound, window));
      frame.set("upper", bound(group.upperBound, window));
      json.set("calls", calls);
      json.set("closes", closes(window, group));
      if (plan.streams().contains(window)) {
        supported(window, group);
      }
      below = json;
    }
    return below;
  }

  /** Marks what the language allows of windows over streams and cannot run yet. */
  private void supported(Window window, Window.Group group) {
    WindowTiming timing = new WindowTiming(window, plan.orders().of(window.getInput()));
    boolean closes = timing.closingKey(group) >= 0;
    writer.refuseIf(!plan.orders().of(window.getInput()).hasClock(), "OVER on a stream whose rows have no ROWTIME");
    writer.refuseIf(!closes && !timing.orderedByTime(group), "OVER on a stream that is ordered by something other than a function of ROWTIME");
    boolean range = !group.isRows && (group.lowerBound.getOffset() != null || group.upperBound.getOffset() != null);
    List<RelFieldCollation> keys = group.orderKeys.getFieldCollations();
    boolean byRowtime = !keys.isEmpty() && timing.relative(keys.get(0).getFieldIndex()) != null
        && timing.relative(keys.get(0).getFieldIndex()).isEmpty();
    writer.refuseIf(range && !byRowtime, "OVER on a stream with a RANGE over something other than ROWTIME");
    writer.refuseIf(range && months(window, group), "OVER on a stream with a RANGE of months");
  }

  private static boolean months(Window window, Window.Group group) {
    return Stream.of(group.lowerBound, group.upperBound).filter(bound -> bound.getOffset() != null)
        .anyMatch(bound -> constant(bound.getOffset(), window).getType().getSqlTypeName().isYearMonth());
  }

  /** When the partition of a row is complete, where it is at some time: in the domain of the input's ROWTIME. */
  private JsonNode closes(Window window, Window.Group group) {
    WindowTiming timing = new WindowTiming(window, plan.orders().of(window.getInput()));
    int key = plan.streams().contains(window) ? timing.closingKey(group) : -1;
    if (key < 0) {
      return NullNode.getInstance();
    }
    RexBuilder rex = window.getCluster().getRexBuilder();
    return writer.rex().write(new Closing(rex).of(rex.makeInputRef(window.getInput(), key), timing.relative(key)));
  }

  private ObjectNode call(Window.RexWinAggCall call, RelDataTypeField field, Window window) {
    ObjectNode json = PlanWriter.JSON.objectNode();
    json.put("function", call.getOperator().getName());
    json.set("args", writer.rex().writeAll(call.getOperands().stream().map(o -> constant(o, window)).toList()));
    return json.put("distinct", call.distinct).put("ignoreNulls", call.ignoreNulls)
        .put("type", TypeText.of(field.getType())).put("nullable", field.getType().isNullable()).put("name", field.getName());
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

  /** Calcite keeps a window's constants beside it, as columns after the input's: puts them back where they are used. */
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
