package io.rowtime.operator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.List;

/** Writes records as the JSON that {@link SpecReader} reads. */
final class SpecWriter {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private SpecWriter() {}

  static ObjectNode write(OperatorSpec spec) {
    ObjectNode json = JSON.objectNode().put("operator", OperatorSpec.name(spec.getClass()));
    write(spec, json);
    return json;
  }

  private static void write(Object written, ObjectNode json) {
    for (RecordComponent component : written.getClass().getRecordComponents()) {
      try {
        json.set(component.getName(), value(component.getAccessor().invoke(written)));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static JsonNode value(Object value) {
    if (value == null) {
      return JSON.nullNode();
    }
    if (value instanceof List<?> list) {
      ArrayNode array = JSON.arrayNode();
      list.forEach(each -> array.add(value(each)));
      return array;
    }
    if (value instanceof Record) {
      ObjectNode json = JSON.objectNode();
      write(value, json);
      return json;
    }
    return value instanceof Boolean truth ? JSON.booleanNode(truth)
        : value instanceof Integer number ? JSON.numberNode(number)
        : value instanceof Long number ? JSON.numberNode(number)
        : value instanceof Double number ? JSON.numberNode(number)
        : JSON.textNode(value instanceof BigDecimal exact ? exact.toPlainString() : value.toString());
  }
}
