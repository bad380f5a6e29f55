package io.rowtime.functions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;

/** Converts arrays, maps and rows between Spark's internal form and Java collections, element by element. */
final class NestedValues {
  /** Converts a value of a type; null stays null. */
  @FunctionalInterface
  interface Conversion {
    Object of(Object value, DataType type);
  }

  private NestedValues() {}

  static List<Object> list(ArrayData array, DataType type, Conversion fromSpark) {
    List<Object> list = new ArrayList<>(array.numElements());
    for (int i = 0; i < array.numElements(); i++) {
      list.add(array.isNullAt(i) ? null : fromSpark.of(array.get(i, type), type));
    }
    return list;
  }

  static Map<Object, Object> map(MapData data, MapType type, Conversion fromSpark) {
    List<Object> keys = list(data.keyArray(), type.keyType(), fromSpark);
    List<Object> values = list(data.valueArray(), type.valueType(), fromSpark);
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      map.put(keys.get(i), values.get(i));
    }
    return map;
  }

  static Object[] fields(InternalRow row, StructType type, Conversion fromSpark) {
    Object[] fields = new Object[type.size()];
    for (int i = 0; i < fields.length; i++) {
      DataType field = type.apply(i).dataType();
      fields[i] = row.isNullAt(i) ? null : fromSpark.of(row.get(i, field), field);
    }
    return fields;
  }

  static ArrayData toArray(List<?> list, DataType type, Conversion toSpark) {
    return new GenericArrayData(list.stream().map(element -> toSpark.of(element, type)).toArray());
  }

  static MapData toMap(Map<?, ?> map, MapType type, Conversion toSpark) {
    return new ArrayBasedMapData(toArray(new ArrayList<>(map.keySet()), type.keyType(), toSpark),
        toArray(new ArrayList<>(map.values()), type.valueType(), toSpark));
  }

  static InternalRow toRow(List<?> fields, StructType type, Conversion toSpark) {
    Object[] values = new Object[type.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = toSpark.of(fields.get(i), type.apply(i).dataType());
    }
    return new GenericInternalRow(values);
  }
}
