package io.rowtime.avro;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Converts values in Spark's internal form to Avro values; fields of a record take the values of the fields of the same
 * name.
 */
final class AvroValues {
  private final Schema schema;
  private final StructType type;
  private final int[] places;

  AvroValues(Schema schema, StructType type) {
    this.schema = schema;
    this.type = type;
    this.places = schema.getFields().stream().mapToInt(field -> place(field.name(), type)).toArray();
  }

  int size() {
    return type.length();
  }

  /** Returns the record of a row of that type. Throws IllegalArgumentException if a value does not fit its field. */
  GenericData.Record record(InternalRow row) {
    return record(schema, row, type, places);
  }

  private static int place(String name, StructType type) {
    return IntStream.range(0, type.length()).filter(i -> type.apply(i).name().equals(name)).findFirst()
        .orElseGet(() -> IntStream.range(0, type.length()).filter(i -> type.apply(i).name().equalsIgnoreCase(name))
            .findFirst().orElse(-1));
  }

  private static GenericData.Record record(Schema schema, InternalRow row, StructType type, int[] places) {
    GenericData.Record record = new GenericData.Record(schema);
    for (Schema.Field field : schema.getFields()) {
      int place = places[field.pos()];
      if (place >= 0 && !row.isNullAt(place)) {
        record.put(field.pos(), get(field.schema(), row, place, type.apply(place).dataType(), field.name()));
      } else if (!field.schema().isNullable()) {
        if (!field.hasDefaultValue()) {
          throw new IllegalArgumentException("NULL in the Avro field " + field.name() + ", which is not nullable");
        }
        record.put(field.pos(), GenericData.get().getDefaultValue(field));
      }
    }
    return record;
  }

  private static Object get(Schema schema, SpecializedGetters from, int place, DataType type, String name) {
    if (schema.getType() == Schema.Type.UNION) {
      return union(schema, from, place, type, name);
    }
    if (schema.getType() == Schema.Type.STRING && !isNested(type)) {
      return text(from.get(place, type), type);
    }
    if (type instanceof StructType struct && schema.getType() == Schema.Type.RECORD) {
      int[] places = schema.getFields().stream().mapToInt(field -> place(field.name(), struct)).toArray();
      return record(schema, from.getStruct(place, struct.length()), struct, places);
    }
    if (type instanceof ArrayType array && schema.getType() == Schema.Type.ARRAY) {
      return elements(schema.getElementType(), from.getArray(place), array.elementType(), name);
    }
    if (type instanceof MapType map && schema.getType() == Schema.Type.MAP) {
      return entries(schema.getValueType(), from.getMap(place), map, name);
    }
    try {
      return simple(schema, from.get(place, type), type);
    } catch (ArithmeticException | ClassCastException e) {
      throw doesNotFit(schema, from.get(place, type), type, name);
    }
  }

  /** Converts the value to the first branch that accepts it. */
  private static Object union(Schema schema, SpecializedGetters from, int place, DataType type, String name) {
    IllegalArgumentException fault = null;
    for (Schema branch : schema.getTypes()) {
      if (branch.getType() != Schema.Type.NULL) {
        try {
          return get(branch, from, place, type, name);
        } catch (IllegalArgumentException e) {
          fault = fault == null ? e : fault;
        }
      }
    }
    throw fault != null ? fault : doesNotFit(schema, from.get(place, type), type, name);
  }

  private static List<Object> elements(Schema schema, ArrayData from, DataType type, String name) {
    List<Object> made = new ArrayList<>();
    for (int i = 0; i < from.numElements(); i++) {
      made.add(element(schema, from, i, type, name));
    }
    return made;
  }

  private static Object entries(Schema schema, MapData from, MapType type, String name) {
    Map<Object, Object> made = new LinkedHashMap<>();
    for (int i = 0; i < from.numElements(); i++) {
      made.put(text(from.keyArray().get(i, type.keyType()), type.keyType()),
          element(schema, from.valueArray(), i, type.valueType(), name));
    }
    return made;
  }

  private static Object element(Schema schema, ArrayData from, int place, DataType type, String name) {
    if (!from.isNullAt(place)) {
      return get(schema, from, place, type, name);
    }
    if (!schema.isNullable()) {
      throw new IllegalArgumentException("NULL inside the Avro field " + name + ", which is not nullable");
    }
    return null;
  }

  private static Object simple(Schema schema, Object value, DataType type) {
    LogicalType logical = schema.getLogicalType();
    if (logical instanceof LogicalTypes.Decimal decimal) {
      return decimal(schema, decimal, value);
    }
    switch (schema.getType()) {
      case BOOLEAN:
        return (Boolean) value;
      case INT:
        return Math.toIntExact(wholeNumber(logical, value, type));
      case LONG:
        return wholeNumber(logical, value, type);
      case FLOAT:
        return number(value).floatValue();
      case DOUBLE:
        return number(value).doubleValue();
      case BYTES:
        return ByteBuffer.wrap(value instanceof UTF8String text ? text.getBytes() : (byte[]) value);
      case FIXED:
        byte[] bytes = (byte[]) value;
        if (bytes.length != schema.getFixedSize()) {
          throw new ArithmeticException();
        }
        return new GenericData.Fixed(schema, bytes);
      case ENUM:
        String symbol = ((UTF8String) value).toString();
        if (!schema.hasEnumSymbol(symbol)) {
          throw new ArithmeticException();
        }
        return new GenericData.EnumSymbol(schema, symbol);
      default:
        throw new ArithmeticException();
    }
  }

  private static Object decimal(Schema schema, LogicalTypes.Decimal decimal, Object value) {
    BigDecimal number = new BigDecimal(number(value).toString()).setScale(decimal.getScale(), RoundingMode.HALF_UP);
    if (number.precision() > decimal.getPrecision()) {
      throw new ArithmeticException();
    }
    byte[] bytes = number.unscaledValue().toByteArray();
    if (schema.getType() == Schema.Type.BYTES) {
      return ByteBuffer.wrap(bytes);
    }
    byte[] padded = new byte[schema.getFixedSize()];
    if (bytes.length > padded.length) {
      throw new ArithmeticException();
    }
    Arrays.fill(padded, (byte) (bytes[0] < 0 ? -1 : 0));
    System.arraycopy(bytes, 0, padded, padded.length - bytes.length, bytes.length);
    return new GenericData.Fixed(schema, padded);
  }

  /**
   * Returns an integer in the unit of the logical type; without a logical type, times are in milliseconds, as readers
   * expect.
   */
  private static long wholeNumber(LogicalType logical, Object value, DataType type) {
    String unit = logical == null ? "" : logical.getName();
    if (type instanceof TimestampType) {
      long micros = (Long) value;
      return unit.endsWith("-nanos") ? Math.multiplyExact(micros, 1000L)
          : unit.endsWith("-micros") ? micros : Math.floorDiv(micros, 1000L);
    }
    if (type instanceof TimeType) {
      return (Long) value / (unit.equals("time-millis") ? 1_000_000L : 1_000L);
    }
    if (!unit.isEmpty() && !(type instanceof DateType && unit.equals("date"))) {
      throw new ArithmeticException();
    }
    return value instanceof Decimal number ? number.toJavaBigDecimal().longValueExact()
        : value instanceof Float || value instanceof Double ? new BigDecimal(value.toString()).longValueExact()
        : ((Number) value).longValue();
  }

  private static Number number(Object value) {
    return value instanceof Decimal decimal ? decimal.toJavaBigDecimal() : (Number) value;
  }

  private static String text(Object value, DataType type) {
    if (type instanceof TimestampType) {
      return Instant.EPOCH.plus((Long) value, ChronoUnit.MICROS).toString();
    } else if (type instanceof DateType) {
      return LocalDate.ofEpochDay((Integer) value).toString();
    } else if (type instanceof TimeType) {
      return LocalTime.ofNanoOfDay((Long) value).toString();
    } else if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    return value.toString();
  }

  private static boolean isNested(DataType type) {
    return type instanceof StructType || type instanceof ArrayType || type instanceof MapType;
  }

  private static IllegalArgumentException doesNotFit(Schema schema, Object value, DataType type, String name) {
    String shown = text(value, type);
    return new IllegalArgumentException("'" + (shown.length() > 60 ? shown.substring(0, 57) + "..." : shown)
        + "' does not fit in the Avro field " + name + ", which is " + schema.toString());
  }
}
