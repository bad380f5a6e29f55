package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.node.Arrival;
import io.rowtime.plan.node.Column;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.PhysicalNode;
import io.rowtime.plan.node.Place;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.node.StateBound;
import io.rowtime.plan.node.StateSignature;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Writes a physical plan as the JSON of the plan contract. It decides nothing. */
public final class PlanWriter {
  static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private PlanWriter() {}

  /** Writes a node and everything below it. */
  public static ObjectNode write(PhysicalNode physical) {
    PlanNode node = physical.node();
    NodeProperties properties = physical.properties();
    ObjectNode json = JSON.objectNode().put("op", node.kind().op()).put("id", properties.id());
    ArrayNode origin = json.putArray("origin");
    node.origin().forEach(place -> write(place, origin.addObject()));
    ArrayNode inputs = json.putArray("inputs");
    physical.inputs().forEach(input -> inputs.add(write(input)));
    json.set("fields", columns(node.columns()));
    json.put("rowtime", node.rowtime());
    json.set("state", state(node.state()));
    json.put("streaming", node.streaming());
    if (node.streaming()) {
      json.set("clock", node.clock() == null ? NullNode.getInstance() : clock(node.clock()));
    }
    new OperatorWriter(json, physical).write();
    json.put("changes", properties.changes().word());
    ArrayNode needs = json.putArray("needs");
    properties.needs().forEach(need -> needs.add(need.name()));
    json.put("sorted", properties.sorted()).put("inOrder", properties.inOrder().name());
    json.set("claims", claims(node, properties));
    json.set("reads", lists(properties.reads()));
    json.set("stored", lists(properties.stored()));
    json.put("signature", properties.signature() == null ? null : signature(properties.signature()).toString());
    return json;
  }

  /** Writes a part of the text of a statement. */
  public static void write(Place place, ObjectNode json) {
    json.put("line", place.line()).put("column", place.column()).put("endLine", place.endLine()).put("endColumn", place.endColumn());
  }

  /** Writes columns. */
  public static ArrayNode expressions(List<Expression> expressions) {
    return ExpressionWriter.write(expressions);
  }

  public static ArrayNode columns(List<Column> columns) {
    ArrayNode fields = JSON.arrayNode();
    for (Column column : columns) {
      ObjectNode json = fields.addObject().put("name", column.name()).put("type", column.type()).put("nullable", column.nullable())
          .put("monotonicity", column.monotonicity().name());
      if (column.disorder() > 0) {
        json.put("disorder", Duration.ofMillis(column.disorder()).toString());
      }
    }
    return fields;
  }

  private static ObjectNode state(StateBound state) {
    return JSON.objectNode().put("bound", state.size().word()).put("retention", state.retention() == null ? null : state.retention().toString())
        .put("why", state.why());
  }

  private static ObjectNode claims(PlanNode node, NodeProperties properties) {
    ObjectNode claims = JSON.objectNode();
    ArrayNode bounds = claims.putArray("bounds");
    node.bounds().forEach(bound -> bounds.addObject().put("index", bound.index()).set("clock", clock(bound.clock())));
    ArrayNode orders = claims.putArray("orders");
    node.orders().forEach(order -> orders.addObject().put("index", order.index()).put("disorder", order.disorder()));
    ArrayNode unique = claims.putArray("unique");
    properties.unique().forEach(rows -> unique.addObject().put("rows", rows.rows()).set("fields", numbers(rows.columns())));
    return claims.put("ordersHold", properties.ordersHold().name());
  }

  private static ObjectNode signature(StateSignature signature) {
    ObjectNode json = JSON.objectNode().put("op", signature.op());
    if (signature.layout() != null) {
      json.put("layout", signature.layout());
    }
    json.put("form", signature.form());
    ObjectNode parts = json.putObject("parts");
    signature.parts().forEach(parts::put);
    ArrayNode functions = json.putArray("functions");
    signature.functions().forEach(functions::add);
    return json;
  }

  static JsonNode arrival(Arrival.Cases cases) {
    ObjectNode json = JSON.objectNode();
    json.set("ordered", arrival(cases.ordered()));
    return json.set("unordered", arrival(cases.unordered()));
  }

  private static ObjectNode arrival(Arrival arrival) {
    return JSON.objectNode().put("disordered", arrival.disordered()).put("maxDisorder", arrival.maxDisorder()).put("early", arrival.early());
  }

  static ArrayNode clock(List<ClockStep> steps) {
    ArrayNode array = JSON.arrayNode();
    for (ClockStep step : steps) {
      ObjectNode json = array.addObject().put("fn", step.function().name());
      if (step.function() == ClockStep.Function.LOCAL) {
        json.put("zone", step.zone());
      } else if (step.isCalendar()) {
        json.put("unit", step.unit().name());
      } else {
        json.put("millis", step.millis());
        if (step.function() != ClockStep.Function.SHIFT) {
          json.put("offset", step.offset());
        }
      }
    }
    return array;
  }

  static ArrayNode numbers(Collection<Integer> numbers) {
    ArrayNode array = JSON.arrayNode();
    numbers.forEach(array::add);
    return array;
  }

  static ArrayNode lists(List<List<Integer>> lists) {
    ArrayNode array = JSON.arrayNode();
    lists.forEach(list -> array.add(numbers(list)));
    return array;
  }
}
