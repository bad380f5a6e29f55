package io.rowtime.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.avatica.ColumnMetaData.Rep;
import org.apache.calcite.avatica.remote.TypedValue;
import org.apache.calcite.avatica.util.DateTimeUtils;

/**
 * Converts rows between Avatica and the {@link Backend}, which sends them by column: days, milliseconds of the day and
 * of the epoch as numbers, DECIMAL as text, bytes in Base64, and numbers that JSON lacks as text.
 */
final class RowValues {
  private RowValues() {}

  /** Returns the rows of an answer's {@code values}. */
  static List<Object> rows(JsonNode columns, JsonNode values) {
    int count = values.isEmpty() ? 0 : values.get(0).size();
    List<Object> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      rows.add(new ArrayList<>(values.size()));
    }
    for (int c = 0; c < values.size(); c++) {
      Function<JsonNode, Object> reader = reader(columns.get(c).get("type"));
      JsonNode column = values.get(c);
      for (int i = 0; i < count; i++) {
        JsonNode value = column.get(i);
        @SuppressWarnings("unchecked") List<Object> row = (List<Object>) rows.get(i);
        row.add(value.isNull() ? null : reader.apply(value));
      }
    }
    return rows;
  }

  private static Function<JsonNode, Object> reader(JsonNode type) {
    return switch (type.get("name").asText()) {
      case "BOOLEAN" -> JsonNode::asBoolean;
      case "TINYINT" -> value -> (byte) value.intValue();
      case "SMALLINT" -> value -> (short) value.intValue();
      case "INTEGER", "DATE", "TIME" -> JsonNode::intValue;
      case "BIGINT", "TIMESTAMP" -> JsonNode::longValue;
      case "REAL" -> value -> value.isTextual() ? Float.valueOf(value.asText()) : (Object) value.floatValue();
      case "DOUBLE" -> value -> value.isTextual() ? Double.valueOf(value.asText()) : (Object) value.doubleValue();
      case "DECIMAL" -> value -> new BigDecimal(value.asText());
      // Avatica writes this class in Protobuf; it does not write its own ByteString.
      case "BINARY", "VARBINARY" -> value -> Base64.getDecoder().decode(value.asText());
      case "ARRAY" -> {
        Function<JsonNode, Object> element = reader(type.get("element"));
        yield value -> {
          List<Object> list = new ArrayList<>(value.size());
          value.forEach(each -> list.add(each.isNull() ? null : element.apply(each)));
          return list;
        };
      }
      default -> JsonNode::asText;
    };
  }

  /**
   * Writes the values of a parameter in all rows of a batch as {@code {"as": …, "values": […]}}; {@code as} is {@code
   * value}, or {@code date}, {@code time} or {@code timestamp} for numbers that represent them.
   */
  static void write(List<TypedValue> column, ObjectNode json) {
    String kind = null;
    for (TypedValue value : column) {
      if (value != null && value.value != null) {
        String own = kind(value.type);
        kind = kind == null || kind.equals(own) ? own : "text";
      }
    }
    json.put("as", kind == null || kind.equals("text") ? "value" : kind);
    ArrayNode values = json.putArray("values");
    for (TypedValue value : column) {
      if (value == null || value.value == null) {
        values.addNull();
      } else if ("text".equals(kind)) {
        values.add(text(value));
      } else {
        add(values, value.type, value.value);
      }
    }
  }

  private static String kind(Rep rep) {
    return switch (rep) {
      case JAVA_SQL_DATE -> "date";
      case JAVA_SQL_TIME -> "time";
      case JAVA_SQL_TIMESTAMP, JAVA_UTIL_DATE -> "timestamp";
      case BYTE_STRING -> "bytes";
      default -> "value";
    };
  }

  private static String text(TypedValue value) {
    return switch (kind(value.type)) {
      case "date" -> DateTimeUtils.unixDateToString(((Number) value.value).intValue());
      case "time" -> DateTimeUtils.unixTimeToString(((Number) value.value).intValue(), 3);
      case "timestamp" -> DateTimeUtils.unixTimestampToString(((Number) value.value).longValue(), 3);
      default -> value.value.toString();
    };
  }

  private static void add(ArrayNode values, Rep rep, Object value) {
    if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      if (Double.isFinite(number)) {
        values.add(number);
      } else {
        values.add(value.toString());
      }
    } else if (value instanceof BigDecimal || value instanceof BigInteger) {
      values.add(value.toString());
    } else if (value instanceof Number number) {
      values.add(number.longValue());
    } else if (value instanceof Boolean bool) {
      values.add(bool);
    } else if (value instanceof List<?> list) {
      ArrayNode array = values.addArray();
      for (Object element : list) {
        Object inner = element instanceof TypedValue typed ? typed.value : element;
        if (inner == null) {
          array.addNull();
        } else {
          add(array, element instanceof TypedValue typed ? typed.type : rep, inner);
        }
      }
    } else {
      values.add(value.toString());
    }
  }
}
