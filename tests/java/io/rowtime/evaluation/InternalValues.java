package io.rowtime.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;

/**
 * Values in Calcite's internal form, as JSON: days and milliseconds since the epoch, intervals in milliseconds or
 * months, DECIMAL and DOUBLE as text, bytes as hexadecimal text, maps as pairs.
 */
final class InternalValues {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private InternalValues() {}

  static Object read(JsonNode json, RelDataType type) {
    if (json.isNull()) {
      return null;
    }
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> json.asBoolean();
      case TINYINT -> (byte) json.asInt();
      case SMALLINT -> (short) json.asInt();
      case INTEGER, DATE, TIME, INTERVAL_YEAR, INTERVAL_YEAR_MONTH, INTERVAL_MONTH -> json.asInt();
      case DECIMAL -> new BigDecimal(json.asText());
      case REAL -> Float.valueOf(json.asText());
      case FLOAT, DOUBLE -> Double.valueOf(json.asText());
      case CHAR, VARCHAR -> json.asText();
      case BINARY, VARBINARY -> ByteString.of(json.asText(), 16);
      case ARRAY, MULTISET -> {
        List<Object> list = new ArrayList<>();
        json.forEach(e -> list.add(read(e, type.getComponentType())));
        yield list;
      }
      case MAP -> {
        Map<Object, Object> map = new LinkedHashMap<>();
        json.forEach(e -> map.put(read(e.get(0), type.getKeyType()), read(e.get(1), type.getValueType())));
        yield map;
      }
      case ROW -> {
        Object[] fields = new Object[type.getFieldCount()];
        Arrays.setAll(fields, i -> read(json.get(i), type.getFieldList().get(i).getType()));
        yield fields;
      }
      default -> json.asLong();
    };
  }

  static JsonNode write(Object value, RelDataType type) {
    if (value == null) {
      return JSON.nullNode();
    }
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> JSON.booleanNode((Boolean) value);
      case DECIMAL -> JSON.textNode(new BigDecimal(value.toString()).toPlainString());
      case REAL, FLOAT, DOUBLE, CHAR, VARCHAR, BINARY, VARBINARY -> JSON.textNode(value.toString());
      case ARRAY, MULTISET -> list((List<?>) value, type.getComponentType());
      case MAP -> {
        ArrayNode pairs = JSON.arrayNode();
        ((Map<?, ?>) value).forEach((k, v) ->
            pairs.addArray().add(write(k, type.getKeyType())).add(write(v, type.getValueType())));
        yield pairs;
      }
      case ROW -> {
        ArrayNode fields = JSON.arrayNode();
        List<?> values = value instanceof Object[] array ? Arrays.asList(array) : (List<?>) value;
        type.getFieldList().forEach(f -> fields.add(write(values.get(f.getIndex()), f.getType())));
        yield fields;
      }
      case ANY, NULL -> JSON.textNode(value.toString());
      default -> JSON.numberNode(((Number) value).longValue());
    };
  }

  private static ArrayNode list(List<?> values, RelDataType type) {
    ArrayNode array = JSON.arrayNode();
    values.forEach(v -> array.add(write(v, type)));
    return array;
  }
}
