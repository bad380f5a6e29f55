package io.rowtime.functions;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Period;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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
 * Converts values between Spark's internal form and the classes that user-defined functions see (see {@link
 * io.rowtime.api.InputRow}).
 */
public final class ApiValues {
  private ApiValues() {}

  public static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** Returns microseconds that are whole milliseconds, as in ROWTIME. */
  public static long micros(Instant at) {
    return Math.multiplyExact(at.toEpochMilli(), 1000L);
  }

  public static Object toApi(Object value, DataType type) {
    if (value == null) {
      return null;
    } else if (type instanceof StringType) {
      return value.toString();
    } else if (type instanceof DecimalType) {
      return ((Decimal) value).toJavaBigDecimal();
    } else if (type instanceof TimestampType) {
      return instant((Long) value);
    } else if (type instanceof DateType) {
      return LocalDate.ofEpochDay((Integer) value);
    } else if (type instanceof TimeType) {
      return LocalTime.ofNanoOfDay((Long) value);
    } else if (type instanceof DayTimeIntervalType) {
      return Duration.of((Long) value, ChronoUnit.MICROS);
    } else if (type instanceof YearMonthIntervalType) {
      return Period.ofMonths((Integer) value);
    } else if (type instanceof ArrayType array) {
      return Collections.unmodifiableList(NestedValues.list((ArrayData) value, array.elementType(), ApiValues::toApi));
    } else if (type instanceof MapType map) {
      return NestedValues.map((MapData) value, map, ApiValues::toApi);
    } else if (type instanceof StructType struct) {
      return Arrays.asList(NestedValues.fields((InternalRow) value, struct, ApiValues::toApi));
    }
    return value;
  }

  /** @throws IllegalArgumentException if the value does not have that type; the message names the type that it has */
  public static Object toSpark(Object value, DataType type) {
    if (value == null) {
      return null;
    } else if (type instanceof StringType && value instanceof CharSequence) {
      return UTF8String.fromString(value.toString());
    } else if (type instanceof BooleanType && value instanceof Boolean || type instanceof BinaryType && value instanceof byte[]) {
      return value;
    } else if (type instanceof TimestampType && value instanceof Instant at) {
      return ChronoUnit.MICROS.between(Instant.EPOCH, at);
    } else if (type instanceof DateType && value instanceof LocalDate date) {
      return Math.toIntExact(date.toEpochDay());
    } else if (type instanceof TimeType && value instanceof LocalTime time) {
      return time.toNanoOfDay();
    } else if (type instanceof DayTimeIntervalType && value instanceof Duration length) {
      return Math.floorDiv(length.toNanos(), 1000L);
    } else if (type instanceof YearMonthIntervalType && value instanceof Period length) {
      return Math.toIntExact(length.toTotalMonths());
    } else if (type instanceof ArrayType array && value instanceof List<?> list) {
      return NestedValues.toArray(list, array.elementType(), ApiValues::toSpark);
    } else if (type instanceof MapType map && value instanceof Map<?, ?> entries) {
      return NestedValues.toMap(entries, map, ApiValues::toSpark);
    } else if (type instanceof StructType struct && value instanceof List<?> fields && fields.size() == struct.length()) {
      return NestedValues.toRow(fields, struct, ApiValues::toSpark);
    } else if (value instanceof Number number) {
      return number(number, type);
    }
    throw wrongType(value, type);
  }

  private static Object number(Number value, DataType type) {
    if (type instanceof DoubleType) {
      return value.doubleValue();
    } else if (type instanceof FloatType) {
      return value.floatValue();
    } else if (type instanceof LongType && value instanceof Long || type instanceof IntegerType && value instanceof Integer) {
      return value;
    }
    try {
      BigDecimal exact = value instanceof BigDecimal big ? big : new BigDecimal(value.toString());
      if (type instanceof LongType) {
        return exact.longValueExact();
      } else if (type instanceof IntegerType) {
        return exact.intValueExact();
      } else if (type instanceof ShortType) {
        return exact.shortValueExact();
      } else if (type instanceof ByteType) {
        return exact.byteValueExact();
      } else if (type instanceof DecimalType decimal) {
        BigDecimal rounded = exact.setScale(decimal.scale(), RoundingMode.HALF_UP);
        if (rounded.precision() - rounded.scale() <= decimal.precision() - decimal.scale()) {
          return Decimal.apply(rounded, decimal.precision(), decimal.scale());
        }
      }
    } catch (ArithmeticException | NumberFormatException e) {
      throw wrongType(value, type);
    }
    throw wrongType(value, type);
  }

  private static IllegalArgumentException wrongType(Object value, DataType type) {
    return new IllegalArgumentException("the value " + value + " of class " + value.getClass().getSimpleName()
        + " does not fit a column of type " + type.sql());
  }
}
