package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanField;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Writes the components of a record as fields of the plan, each by its name or that of its {@link PlanField}. */
final class ComponentWriter {
  private static final Map<Class<?>, List<Written>> WRITTEN = new ConcurrentHashMap<>();
  /** The fields that are missing where others would be null. */
  private static final Set<String> MISSING = Set.of("window", "mergedBy");

  private ComponentWriter() {}

  /** A component, and the name of its field. */
  private record Written(RecordComponent component, String field) {
    Object of(Record record) {
      try {
        return component.getAccessor().invoke(record);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  static void write(Record record, ObjectNode json) {
    for (Written each : written(record.getClass())) {
      Object value = each.of(record);
      if (value != null || !MISSING.contains(each.field)) {
        json.set(each.field, value(value));
      }
    }
  }

  private static List<Written> written(Class<?> type) {
    return WRITTEN.computeIfAbsent(type, any -> Arrays.stream(type.getRecordComponents()).map(component -> {
      PlanField field = component.getAnnotation(PlanField.class);
      return new Written(component, field == null ? component.getName() : field.value());
    }).filter(each -> !each.field.isEmpty()).toList());
  }

  private static JsonNode value(Object value) {
    if (value == null) {
      return PlanWriter.JSON.nullNode();
    }
    if (value instanceof Expression expression) {
      return ExpressionWriter.write(expression);
    }
    if (value instanceof ClockStep step) {
      return PlanWriter.clock(List.of(step)).get(0);
    }
    if (value instanceof Operator.HopKey key) {
      return key.isColumn() ? PlanWriter.JSON.numberNode(key.column()) : PlanWriter.JSON.textNode(key.toString());
    }
    if (value instanceof List<?> list) {
      ArrayNode array = PlanWriter.JSON.arrayNode();
      list.forEach(each -> array.add(value(each)));
      return array;
    }
    if (value instanceof Record record) {
      ObjectNode json = PlanWriter.JSON.objectNode();
      write(record, json);
      return json;
    }
    if (value instanceof String || value instanceof Enum) {
      return PlanWriter.JSON.textNode(value.toString());
    }
    return value instanceof Boolean truth ? PlanWriter.JSON.booleanNode(truth)
        : value instanceof Integer number ? PlanWriter.JSON.numberNode(number)
        : value instanceof BigDecimal exact ? PlanWriter.JSON.numberNode(exact)
        : PlanWriter.JSON.numberNode((Long) value);
  }
}
