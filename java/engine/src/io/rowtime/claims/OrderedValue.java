package io.rowtime.claims;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/** Exact numbers for the values of a column that has an order: times as microseconds. */
final class OrderedValue {
  private static final long DAY = 86_400_000_000L;

  private OrderedValue() {}

  /** Returns null for NULL, for what is not a number, and for types without an order of this kind. */
  static BigDecimal of(InternalRow row, int field, DataType type) {
    if (row.isNullAt(field)) {
      return null;
    }
    if (type instanceof TimestampType || type instanceof LongType || type instanceof DayTimeIntervalType) {
      return BigDecimal.valueOf(row.getLong(field));
    }
    if (type instanceof IntegerType || type instanceof YearMonthIntervalType) {
      return BigDecimal.valueOf(row.getInt(field));
    }
    if (type instanceof DateType) {
      return BigDecimal.valueOf(row.getInt(field) * DAY);
    }
    if (type instanceof DecimalType decimal) {
      return row.getDecimal(field, decimal.precision(), decimal.scale()).toJavaBigDecimal();
    }
    if (type instanceof ShortType) {
      return BigDecimal.valueOf(row.getShort(field));
    }
    if (type instanceof ByteType) {
      return BigDecimal.valueOf(row.getByte(field));
    }
    double approximate = type instanceof DoubleType ? row.getDouble(field) : type instanceof FloatType ? row.getFloat(field) : Double.NaN;
    return Double.isFinite(approximate) ? new BigDecimal(approximate) : null;
  }

  /** Returns a value as messages show it. */
  static String text(BigDecimal value, DataType type) {
    return isTime(type) ? Instant.EPOCH.plus(value.longValue(), ChronoUnit.MICROS).toString() : value.toPlainString();
  }

  /** Returns the distance of two values as messages show it. */
  static String distance(long distance, DataType type) {
    return isTime(type) ? Duration.of(distance, ChronoUnit.MICROS).toString() : String.valueOf(distance);
  }

  private static boolean isTime(DataType type) {
    return type instanceof TimestampType || type instanceof DateType;
  }
}
