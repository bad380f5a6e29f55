package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.TypeText;
import io.rowtime.plan.physical.OperatorCalls;

/** Writes the calls that one of rowtime's own operators computes. */
final class OperatorCallWriter {
  private OperatorCallWriter() {}

  static ObjectNode write(OperatorCalls computed, RexWriter rex) {
    ObjectNode json = PlanWriter.JSON.objectNode();
    ArrayNode calls = json.putArray("calls");
    computed.calls().forEach(call -> calls.add(call(call, rex)));
    ArrayNode results = json.putArray("results");
    for (OperatorCalls.Result result : computed.results()) {
      ArrayNode numbers = results.addObject().put("kind", result.kind().name()).putArray("calls");
      result.calls().forEach(numbers::add);
    }
    return json;
  }

  private static ObjectNode call(OperatorCalls.Call call, RexWriter rex) {
    ObjectNode json = PlanWriter.JSON.objectNode().put("function", call.function());
    ArrayNode args = json.putArray("args");
    for (OperatorCalls.Argument argument : call.args()) {
      args.addObject().put("type", argument.type() == null ? null : TypeText.of(argument.type()))
          .set("value", rex.write(argument.value()));
    }
    json.put("type", TypeText.of(call.type())).put("number", call.number()).put("fraction", call.fraction())
        .put("separator", call.separator()).put("distinct", call.distinct()).put("ignoreNulls", call.ignoreNulls());
    json.set("filter", call.filter() == null ? null : rex.write(call.filter()));
    return json.put("combinedBy", call.combinedBy());
  }
}
