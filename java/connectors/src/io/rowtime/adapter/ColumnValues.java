package io.rowtime.adapter;

import io.rowtime.functions.ApiValues;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Converts an adapter's values for a column. The column's metadata contain what Spark's type lacks: {@code length} in
 * characters or bytes, {@code padded} if values are padded to that length, {@code unit}, the microseconds of the
 * last digit of a TIMESTAMP, and {@code parts}, the same of the elements of an array, the keys and values of a map, or the
 * fields of a row.
 */
final class ColumnValues {
  private static final byte BLANK = ' ';

  private ColumnValues() {}

  /** Throws IllegalArgumentException or ArithmeticException if the value does not fit. */
  static Object toSpark(Object given, StructField column) {
    return fitted(ApiValues.toSpark(given, column.dataType()), column.dataType(), column.metadata());
  }

  private static Object fitted(Object value, DataType type, Metadata more) {
    if (value != null && more.contains("parts")) {
      return withParts(value, type, more.getMetadataArray("parts"));
    }
    if (value instanceof Long micros && more.contains("unit")) {
      return micros - Math.floorMod(micros, more.getLong("unit"));
    } else if (value == null || !more.contains("length")) {
      return value;
    }
    int length = Math.toIntExact(more.getLong("length"));
    boolean padded = more.getBoolean("padded");
    if (value instanceof byte[] bytes) {
      if (bytes.length > length) {
        throw tooLong(bytes.length, length, "bytes");
      }
      return padded ? Arrays.copyOf(bytes, length) : bytes;
    }
    return text((UTF8String) value, length, padded);
  }

  private static Object withParts(Object value, DataType type, Metadata[] parts) {
    if (type instanceof ArrayType array) {
      return elements((ArrayData) value, array.elementType(), parts[0]);
    } else if (type instanceof MapType map) {
      MapData entries = (MapData) value;
      return new ArrayBasedMapData(elements(entries.keyArray(), map.keyType(), parts[0]), elements(entries.valueArray(), map.valueType(), parts[1]));
    }
    InternalRow row = (InternalRow) value;
    StructField[] fields = ((StructType) type).fields();
    Object[] fitted = new Object[fields.length];
    for (int i = 0; i < fields.length; i++) {
      fitted[i] = row.isNullAt(i) ? null : fitted(row.get(i, fields[i].dataType()), fields[i].dataType(), parts[i]);
    }
    return new GenericInternalRow(fitted);
  }

  private static ArrayData elements(ArrayData values, DataType type, Metadata more) {
    Object[] fitted = new Object[values.numElements()];
    for (int i = 0; i < fitted.length; i++) {
      fitted[i] = values.isNullAt(i) ? null : fitted(values.get(i, type), type, more);
    }
    return new GenericArrayData(fitted);
  }

  private static UTF8String text(UTF8String text, int length, boolean padded) {
    int characters = text.numChars();
    if (characters > length) {
      // Trailing blanks may be dropped, as in standard SQL; anything else would be lost silently.
      if (!isBlank(text.substring(length, characters))) {
        throw tooLong(characters, length, "characters");
      }
      return text.substring(0, length);
    }
    return padded ? text.rpad(length, UTF8String.fromBytes(new byte[] {BLANK})) : text;
  }

  private static boolean isBlank(UTF8String text) {
    for (byte each : text.getBytes()) {
      if (each != BLANK) {
        return false;
      }
    }
    return true;
  }

  private static IllegalArgumentException tooLong(int found, int length, String of) {
    return new IllegalArgumentException("a value of " + found + " " + of + ", where " + length + " fit");
  }
}
