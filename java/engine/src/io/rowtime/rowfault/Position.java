package io.rowtime.rowfault;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Positions of rows in their streams that are structs of numbers and texts: rows carry them, and only those that fail need
 * the text. It has the names and the values of the fields, such as {@code row 17 of file:/a}.
 */
final class Position {
  /** The name of a field that says where the earlier ones count. */
  private static final String WHERE = "of";

  private Position() {}

  /** Returns the text of a position. */
  static String text(InternalRow position, StructType type) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < type.length(); i++) {
      text.append(lead(type, i)).append(position.get(i, type.apply(i).dataType()));
    }
    return text.toString();
  }

  /** Returns the position with that text; null if there is none of this type. */
  static InternalRow parse(String text, StructType type) {
    Object[] values = new Object[type.length()];
    int at = 0;
    for (int i = 0; i < values.length; i++) {
      String lead = lead(type, i);
      if (!text.startsWith(lead, at)) {
        return null;
      }
      at += lead.length();
      int end = i + 1 < values.length ? text.indexOf(lead(type, i + 1), at) : text.length();
      values[i] = end < 0 ? null : value(text.substring(at, end), type.apply(i).dataType());
      if (values[i] == null) {
        return null;
      }
      at = end;
    }
    return new GenericInternalRow(values);
  }

  private static String lead(StructType type, int index) {
    StructField field = type.apply(index);
    return (index == 0 ? "" : field.name().equals(WHERE) ? " " : ", ") + field.name() + " ";
  }

  private static Object value(String text, DataType type) {
    if (!type.equals(DataTypes.LongType)) {
      return UTF8String.fromString(text);
    }
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
