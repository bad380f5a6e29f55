package io.rowtime.state.values;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
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
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;
import org.apache.spark.unsafe.types.ByteArray;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The in-memory representation of a type's values: most are longs with the same order, to avoid boxing; text, bytes and
 * long decimals (their unscaled numbers) are objects.
 */
public final class ValueType implements Serializable {
  private static final long serialVersionUID = 1L;

  private enum Form { BOOLEAN, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, DECIMAL, BIG_DECIMAL, TEXT, BYTES, LIST }

  private final Form form;
  private final int precision;
  private final int scale;

  private ValueType(Form form, int precision, int scale) {
    this.form = form;
    this.precision = precision;
    this.scale = scale;
  }

  public static ValueType of(DataType type) {
    if (type instanceof DecimalType decimal) {
      Form form = decimal.precision() <= Decimal.MAX_LONG_DIGITS() ? Form.DECIMAL : Form.BIG_DECIMAL;
      return new ValueType(form, decimal.precision(), decimal.scale());
    }
    return new ValueType(form(type), 0, 0);
  }

  private static Form form(DataType type) {
    if (type instanceof BooleanType) {
      return Form.BOOLEAN;
    } else if (type instanceof ByteType) {
      return Form.BYTE;
    } else if (type instanceof ShortType) {
      return Form.SHORT;
    } else if (type instanceof IntegerType || type instanceof DateType || type instanceof YearMonthIntervalType) {
      return Form.INT;
    } else if (type instanceof LongType || type instanceof TimestampType || type instanceof TimestampNTZType
        || type instanceof DayTimeIntervalType || type instanceof TimeType) {
      return Form.LONG;
    } else if (type instanceof FloatType) {
      return Form.FLOAT;
    } else if (type instanceof DoubleType) {
      return Form.DOUBLE;
    } else if (type instanceof StringType) {
      return Form.TEXT;
    } else if (type instanceof BinaryType) {
      return Form.BYTES;
    } else if (type instanceof ArrayType) {
      return Form.LIST;
    }
    throw new UnsupportedOperationException("OVER on a stream cannot keep values of type " + type.sql());
  }

  /** Returns whether values are objects; otherwise they are longs. */
  public boolean isObject() {
    return form.ordinal() >= Form.BIG_DECIMAL.ordinal();
  }

  public boolean isFloating() {
    return form == Form.FLOAT || form == Form.DOUBLE;
  }

  public boolean isDecimal() {
    return form == Form.DECIMAL || form == Form.BIG_DECIMAL;
  }

  public boolean isText() {
    return form == Form.TEXT;
  }

  public int precision() {
    return precision;
  }

  public int scale() {
    return scale;
  }

  long readLong(SpecializedGetters row, int ordinal) {
    return switch (form) {
      case BOOLEAN -> row.getBoolean(ordinal) ? 1 : 0;
      case BYTE -> row.getByte(ordinal);
      case SHORT -> row.getShort(ordinal);
      case INT -> row.getInt(ordinal);
      // A row contains short decimals as their unscaled numbers.
      case LONG, DECIMAL -> row.getLong(ordinal);
      case FLOAT -> toOrderedLong(row.getFloat(ordinal));
      case DOUBLE -> toOrderedLong(row.getDouble(ordinal));
      default -> throw new AssertionError(form);
    };
  }

  Object readObject(SpecializedGetters row, int ordinal) {
    return switch (form) {
      // The row's memory is reused.
      case TEXT -> row.getUTF8String(ordinal).copy();
      case BYTES -> row.getBinary(ordinal);
      case BIG_DECIMAL -> row.getDecimal(ordinal, precision, scale).toJavaBigDecimal().unscaledValue();
      default -> throw new AssertionError(form);
    };
  }

  /** Returns the unscaled number of a short decimal. */
  long keptLong(Object value) {
    return ((Decimal) value).toUnscaledLong();
  }

  Object keptObject(Object value) {
    return value instanceof UTF8String text ? text.copy()
        : value instanceof Decimal decimal ? decimal.toJavaBigDecimal().unscaledValue() : value;
  }

  void write(InternalRow to, int ordinal, long value) {
    switch (form) {
      case BOOLEAN -> to.setBoolean(ordinal, value != 0);
      case BYTE -> to.setByte(ordinal, (byte) value);
      case SHORT -> to.setShort(ordinal, (short) value);
      case INT -> to.setInt(ordinal, (int) value);
      case LONG -> to.setLong(ordinal, value);
      case FLOAT -> to.setFloat(ordinal, (float) number(value));
      case DOUBLE -> to.setDouble(ordinal, number(value));
      case DECIMAL -> to.update(ordinal, Decimal.apply(value, precision, scale));
      default -> throw new AssertionError(form);
    }
  }

  void write(InternalRow to, int ordinal, Object value) {
    to.update(ordinal, internal(value));
  }

  /** Returns a value in Spark's internal form. */
  Object internal(long value) {
    return switch (form) {
      case BOOLEAN -> value != 0;
      case BYTE -> (byte) value;
      case SHORT -> (short) value;
      case INT -> (int) value;
      case LONG -> value;
      case FLOAT -> (float) number(value);
      case DOUBLE -> number(value);
      case DECIMAL -> Decimal.apply(value, precision, scale);
      default -> throw new AssertionError(form);
    };
  }

  Object internal(Object value) {
    return value instanceof BigInteger unscaled ? Decimal.apply(new BigDecimal(unscaled, scale), precision, scale)
        : value;
  }

  byte[] toBytes(Object value) {
    return switch (form) {
      case TEXT -> ((UTF8String) value).getBytes();
      case BYTES -> (byte[]) value;
      case BIG_DECIMAL -> ((BigInteger) value).toByteArray();
      default -> throw new AssertionError(form);
    };
  }

  Object fromBytes(byte[] bytes) {
    return switch (form) {
      case TEXT -> UTF8String.fromBytes(bytes);
      case BYTES -> bytes;
      case BIG_DECIMAL -> new BigInteger(bytes);
      default -> throw new AssertionError(form);
    };
  }

  public int compare(Object left, Object right) {
    return switch (form) {
      case TEXT -> ((UTF8String) left).binaryCompare((UTF8String) right);
      case BYTES -> ByteArray.compareBinary((byte[]) left, (byte[]) right);
      case BIG_DECIMAL -> ((BigInteger) left).compareTo((BigInteger) right);
      default -> throw new AssertionError(form);
    };
  }

  /** Compares the values of a column in two rows, which must not be NULL. */
  public int compare(SpecializedGetters left, SpecializedGetters right, int ordinal) {
    return switch (form) {
      case TEXT -> left.getUTF8String(ordinal).binaryCompare(right.getUTF8String(ordinal));
      case BYTES, BIG_DECIMAL, LIST -> compare(readObject(left, ordinal), readObject(right, ordinal));
      default -> Long.compare(readLong(left, ordinal), readLong(right, ordinal));
    };
  }

  /** Returns a long with the order of numbers in SQL: NaN is the largest, and there is only one zero. */
  public static long toOrderedLong(double number) {
    long bits = Double.doubleToLongBits(number + 0.0);
    return bits ^ bits >> 63 & Long.MAX_VALUE;
  }

  /** Returns the number of an {@link #toOrderedLong} long. */
  public static double number(long ordered) {
    return Double.longBitsToDouble(ordered ^ ordered >> 63 & Long.MAX_VALUE);
  }
}
