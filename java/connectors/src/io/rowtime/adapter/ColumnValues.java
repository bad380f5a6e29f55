package io.rowtime.adapter;

import io.rowtime.functions.ApiValues;
import java.util.Arrays;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Converts an adapter's values for a column. The column's metadata contain what Spark's type lacks: {@code length} in
 * characters or bytes, {@code padded} if values are padded to that length, and {@code unit}, the microseconds of the
 * last digit of a TIMESTAMP.
 */
final class ColumnValues {
  private static final byte BLANK = ' ';

  private ColumnValues() {}

  /** Throws IllegalArgumentException or ArithmeticException if the value does not fit. */
  static Object toSpark(Object given, StructField column) {
    Object value = ApiValues.toSpark(given, column.dataType());
    Metadata more = column.metadata();
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
