package io.rowtime.functions;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
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
 * Converts values between Spark's internal form and Calcite's: times are microseconds in Spark and milliseconds in
 * Calcite, times of day are nanoseconds in Spark.
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
      return NestedValues.list((ArrayData) value, array.elementType(), SparkValues::toCalcite);
    } else if (type instanceof MapType map) {
      return NestedValues.map((MapData) value, map, SparkValues::toCalcite);
    } else if (type instanceof StructType struct) {
      return NestedValues.fields((InternalRow) value, struct, SparkValues::toCalcite);
    }
    return value;
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
      return NestedValues.toArray((List<?>) value, array.elementType(), SparkValues::toSpark);
    } else if (type instanceof MapType map) {
      return NestedValues.toMap((Map<?, ?>) value, map, SparkValues::toSpark);
    } else if (type instanceof StructType struct) {
      List<?> fields = value instanceof Object[] array ? Arrays.asList(array) : (List<?>) value;
      return NestedValues.toRow(fields, struct, SparkValues::toSpark);
    }
    return number((Number) value, type);
  }

  /** Rounds half up to the type's scale; too large a number is an error. */
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
