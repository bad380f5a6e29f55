package io.rowtime.functions;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Values as Spark has them inside, and as Calcite has: times in microseconds here and milliseconds there, times of day
 * in nanoseconds here.
 */
final class SparkValues {
  private static final long NANOS = 1_000_000;
  private static final long MICROS = 1000;

  private SparkValues() {}

  static Object toCalcite(Object value, DataType type) {
    if (value == null) {
      return null;
    } else if (type instanceof StringType) {
      return value.toString();
    } else if (type instanceof DecimalType) {
      return ((Decimal) value).toJavaBigDecimal();
    } else if (type instanceof TimestampType || type instanceof DayTimeIntervalType) {
      return Math.floorDiv((Long) value, MICROS);
    } else if (type instanceof TimeType) {
      return (int) ((Long) value / NANOS);
    } else if (type instanceof BinaryType) {
      return new ByteString((byte[]) value);
    } else if (type instanceof ArrayType array) {
      return list((ArrayData) value, array.elementType());
    } else if (type instanceof MapType map) {
      return map((MapData) value, map);
    } else if (type instanceof StructType struct) {
      return row((InternalRow) value, struct);
    }
    return value;
  }

  private static List<Object> list(ArrayData array, DataType type) {
    List<Object> list = new ArrayList<>(array.numElements());
    for (int i = 0; i < array.numElements(); i++) {
      list.add(array.isNullAt(i) ? null : toCalcite(array.get(i, type), type));
    }
    return list;
  }

  private static Map<Object, Object> map(MapData data, MapType type) {
    List<Object> keys = list(data.keyArray(), type.keyType());
    List<Object> values = list(data.valueArray(), type.valueType());
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      map.put(keys.get(i), values.get(i));
    }
    return map;
  }

  private static Object[] row(InternalRow row, StructType type) {
    Object[] fields = new Object[type.size()];
    for (int i = 0; i < fields.length; i++) {
      DataType field = type.apply(i).dataType();
      fields[i] = row.isNullAt(i) ? null : toCalcite(row.get(i, field), field);
    }
    return fields;
  }

  static Object toSpark(Object value, DataType type) {
    if (value == null) {
      return null;
    } else if (type instanceof StringType) {
      return UTF8String.fromString(value.toString());
    } else if (type instanceof BooleanType) {
      return value;
    } else if (type instanceof DecimalType decimal) {
      return decimal(value, decimal);
    } else if (type instanceof BinaryType) {
      return ((ByteString) value).getBytes();
    } else if (type instanceof ArrayType array) {
      return array((List<?>) value, array.elementType());
    } else if (type instanceof MapType map) {
      Map<?, ?> entries = (Map<?, ?>) value;
      return new ArrayBasedMapData(array(new ArrayList<>(entries.keySet()), map.keyType()),
          array(new ArrayList<>(entries.values()), map.valueType()));
    } else if (type instanceof StructType struct) {
      List<?> fields = value instanceof Object[] array ? Arrays.asList(array) : (List<?>) value;
      Object[] values = new Object[struct.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = toSpark(fields.get(i), struct.apply(i).dataType());
      }
      return new GenericInternalRow(values);
    }
    return number((Number) value, type);
  }

  private static ArrayData array(List<?> list, DataType type) {
    return new GenericArrayData(list.stream().map(v -> toSpark(v, type)).toArray());
  }

  /** Digits behind the point that the type has no place for are rounded half up; too large a number is an error. */
  private static Decimal decimal(Object value, DecimalType type) {
    BigDecimal exact = value instanceof BigDecimal big ? big : new BigDecimal(value.toString());
    BigDecimal rounded = exact.setScale(type.scale(), RoundingMode.HALF_UP);
    if (rounded.precision() - rounded.scale() > type.precision() - type.scale()) {
      throw new ArithmeticException("Value " + exact.toPlainString() + " out of range of " + type.sql());
    }
    return Decimal.apply(rounded, type.precision(), type.scale());
  }

  private static Object number(Number value, DataType type) {
    if (type instanceof IntegerType || type instanceof DateType || type instanceof YearMonthIntervalType) {
      return value.intValue();
    } else if (type instanceof LongType) {
      return value.longValue();
    } else if (type instanceof TimestampType || type instanceof DayTimeIntervalType) {
      return value.longValue() * MICROS;
    } else if (type instanceof TimeType) {
      return value.longValue() * NANOS;
    } else if (type instanceof DoubleType) {
      return value.doubleValue();
    } else if (type instanceof FloatType) {
      return value.floatValue();
    } else if (type instanceof ShortType) {
      return value.shortValue();
    } else if (type instanceof ByteType) {
      return value.byteValue();
    }
    throw new UnsupportedOperationException("Calcite has no values of type " + type.sql());
  }
}
