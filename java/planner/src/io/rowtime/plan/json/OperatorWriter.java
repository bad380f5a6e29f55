package io.rowtime.plan.json;

import static io.rowtime.plan.json.ExpressionWriter.writeNullable;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Fallible;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PhysicalNode;
import io.rowtime.plan.node.PlanOperator;
import io.rowtime.plan.node.PlanOperator.ComputedBy;

/** Writes the fields that a node has because of its operator: the components of its record, and how it is computed. */
final class OperatorWriter {
  private final ObjectNode json;
  private final PhysicalNode node;

  OperatorWriter(ObjectNode json, PhysicalNode node) {
    this.json = json;
    this.node = node;
  }

  void write() {
    Operator operator = node.node().operator();
    if (operator instanceof Operator.Unsupported unsupported) {
      unsupported(unsupported);
      return;
    }
    ComponentWriter.write((Record) operator, json);
    switch (operator.kind()) {
      case SCAN, LATENESS -> json.put("stateName", node.properties().stateName());
      case FILTER -> fallible(((Operator.Filter) operator).fallible());
      case PROJECT -> fallible(((Operator.Project) operator).fallible());
      case GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, SESSION, PROCESS, TOP_N -> arrival();
      case INTERVAL_JOIN, TEMPORAL_JOIN -> streams();
      case WINDOW -> passes();
      // A group is never complete.
      case UPDATING_AGGREGATE -> json.putNull("closes");
      default -> { }
    }
    if (operator.kind().computedBy() != ComputedBy.SPARK) {
      execution(operator.kind() == PlanOperator.SEARCH_KEY ? "search" : "execution");
    }
  }

  private void fallible(Fallible fallible) {
    if (fallible.isNothing()) {
      json.putNull("fallible");
      return;
    }
    ObjectNode written = json.putObject("fallible").put("onError", fallible.onError().name()).put("source", fallible.source())
        .put("stateName", node.properties().stateName());
    written.set("exprs", PlanWriter.numbers(fallible.expressions()));
    written.set("nulls", PlanWriter.numbers(fallible.nulls()));
  }

  /** Writes the clocks of both inputs, and how their rows arrive. */
  private void streams() {
    json.put("leftSource", node.inputs().get(0).boundSource()).put("rightSource", node.inputs().get(1).boundSource());
    json.set("leftArrival", PlanWriter.arrival(node.properties().arrivals().get(0)));
    json.set("rightArrival", PlanWriter.arrival(node.properties().arrivals().get(1)));
  }

  /** Writes how rows arrive; null for a relation, which has no order to arrive in. */
  private void arrival() {
    json.set("arrival", node.properties().arrivals() == null ? null : PlanWriter.arrival(node.properties().arrivals().get(0)));
  }

  /** Writes how rows arrive at each pass. */
  private void passes() {
    for (int i = 0; i < json.get("passes").size(); i++) {
      ((ObjectNode) json.get("passes").get(i)).set("arrival", PlanWriter.arrival(node.properties().arrivals().get(i)));
    }
  }

  private void unsupported(Operator.Unsupported unsupported) {
    if (unsupported.function() != null) {
      json.put("function", unsupported.function()).set("args", ExpressionWriter.write(unsupported.args()));
    }
    if (unsupported.joinType() != null) {
      json.put("joinType", unsupported.joinType().name()).put("correlation", unsupported.correlation());
    }
    if (unsupported.period() != null) {
      json.set("period", ExpressionWriter.write(unsupported.period()));
    }
  }

  /** Writes how one of rowtime's operators computes the node; null if Spark does. */
  private void execution(String name) {
    Execution execution = node.execution();
    if (execution == null) {
      json.putNull(name);
      return;
    }
    ObjectNode written = json.putObject(name);
    ArrayNode steps = written.putArray("steps");
    for (Execution.Step step : execution.steps()) {
      ObjectNode run = steps.addObject();
      ArrayNode inputs = run.putArray("inputs");
      for (Execution.Input input : step.inputs()) {
        ObjectNode each = inputs.addObject();
        each.set("copies", input.copies() == null ? null : PlanWriter.numbers(input.copies()));
        each.set("columns", ExpressionWriter.write(input.columns()));
        each.put("source", input.source());
      }
      run.set("spec", step.spec().toJson());
      run.set("expressions", ExpressionWriter.write(step.expressions()));
    }
    written.set("outputs", ExpressionWriter.write(execution.outputs()));
    written.set("rowtime", writeNullable(execution.rowtime()));
    written.set("arrival", writeNullable(execution.arrival()));
    written.set("change", writeNullable(execution.change()));
    written.set("order", PlanWriter.numbers(execution.order()));
  }
}
