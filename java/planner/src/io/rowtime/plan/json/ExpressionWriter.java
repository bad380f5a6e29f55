package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.plan.node.Expression;
import java.util.List;

/** Writes expressions as the trees of the plan contract. */
final class ExpressionWriter {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ExpressionWriter() {}

  static ObjectNode write(Expression expression) {
    if (expression instanceof Expression.ColumnRef ref) {
      return typed("ref", ref.type(), ref.nullable()).put("index", ref.index());
    }
    if (expression instanceof Expression.Constant constant) {
      return typed("literal", constant.type(), constant.nullable()).set("value", value(constant.value()));
    }
    if (expression instanceof Expression.Keyword keyword) {
      ObjectNode json = JSON.objectNode().put("kind", "symbol").put("value", keyword.word());
      return keyword.set() == null ? json : json.put("set", keyword.set());
    }
    if (expression instanceof Expression.Cast cast) {
      return typed("cast", cast.type(), cast.nullable()).put("safe", cast.safe()).set("args", write(cast.args()));
    }
    if (expression instanceof Expression.InConstants in) {
      ObjectNode json = typed("in", in.type(), in.nullable()).set("args", write(in.args()));
      ArrayNode values = json.putArray("values");
      in.values().forEach(value -> values.add(value(value)));
      return json;
    }
    if (expression instanceof Expression.FunctionCall function) {
      return typed("function", function.type(), function.nullable()).put("name", function.name()).put("language", function.language())
          .put("body", function.body()).put("deterministic", function.deterministic()).set("args", write(function.args()));
    }
    if (expression instanceof Expression.OuterColumn outer) {
      return typed("field", outer.type(), outer.nullable()).put("name", outer.name()).put("correlation", outer.correlation()).put("index", outer.index());
    }
    if (expression instanceof Expression.FieldAccess field) {
      return typed("field", field.type(), field.nullable()).put("name", field.name()).set("args", write(field.args()));
    }
    if (expression instanceof Expression.Lambda lambda) {
      return typed("lambda", lambda.type(), lambda.nullable()).put("element", lambda.element()).set("args", write(lambda.args()));
    }
    if (expression instanceof Expression.Element element) {
      return typed("element", element.type(), element.nullable()).put("name", element.name());
    }
    if (expression instanceof Expression.Carried carried) {
      return typed("carried", carried.type(), carried.nullable()).put("what", carried.what().name());
    }
    if (expression instanceof Expression.Conversion conversion) {
      return typed("conversion", conversion.type(), conversion.nullable()).set("args", write(conversion.args()));
    }
    if (expression instanceof Expression.Key key) {
      return typed("key", key.type(), key.nullable()).set("args", write(key.args()));
    }
    if (expression instanceof Expression.Average average) {
      return typed("average", average.type(), average.nullable()).set("args", write(average.args()));
    }
    if (expression instanceof Expression.CountedTime time) {
      return typed("counted_time", time.type(), time.nullable()).put("unit", time.unit()).set("args", write(time.args()));
    }
    if (expression instanceof Expression.Reached reached) {
      ObjectNode json = typed("reached", reached.type(), reached.nullable());
      json.set("clock", PlanWriter.clock(reached.clock()));
      return json.set("args", write(reached.args()));
    }
    Expression.Call call = (Expression.Call) expression;
    return typed("call", call.type(), call.nullable()).put("op", call.op()).set("args", write(call.args()));
  }

  static ArrayNode write(List<Expression> expressions) {
    ArrayNode array = JSON.arrayNode();
    expressions.forEach(each -> array.add(write(each)));
    return array;
  }

  /** Writes null as JSON's. */
  static JsonNode writeNullable(Expression expression) {
    return expression == null ? NullNode.getInstance() : write(expression);
  }

  private static JsonNode value(Object value) {
    if (value == null) {
      return JSON.nullNode();
    }
    if (value instanceof Boolean truth) {
      return JSON.booleanNode(truth);
    }
    return value instanceof Integer number ? JSON.numberNode(number) : value instanceof Long number ? JSON.numberNode(number)
        : value instanceof Double number ? JSON.numberNode(number) : JSON.textNode((String) value);
  }

  private static ObjectNode typed(String kind, String type, boolean nullable) {
    return JSON.objectNode().put("kind", kind).put("type", type).put("nullable", nullable);
  }
}
