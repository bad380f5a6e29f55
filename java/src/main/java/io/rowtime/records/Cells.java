package io.rowtime.records;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.HexFormat;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;

/** From the text of a cell to a value in Spark's own form. */
final class Cells {
  private Cells() {}

  private static final class DoesNotFit extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DoesNotFit() {
      super(null, null, false, false);
    }
  }

  /** The value of a column; {@code text} is null where the record has none. */
  static Object read(String text, Target target) throws BadRecord {
    if (text == null) {
      if (!target.nullable()) {
        throw new BadRecord(target.name() + ": NULL in a column that is NOT NULL");
      }
      return null;
    }
    try {
      return convert(text, target);
    } catch (DoesNotFit e) {
      throw new BadRecord(target.name() + ": " + shown(text) + " does not fit in " + target.sqlType());
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
      String article = "AEIOU".indexOf(target.sqlType().charAt(0)) >= 0 ? " is not an " : " is not a ";
      throw new BadRecord(target.name() + ": " + shown(text) + article + target.sqlType());
    }
  }

  private static Object convert(String text, Target target) {
    DataType type = target.type();
    if (type instanceof StringType) {
      return string(text, target);
    } else if (type instanceof IntegerType) {
      return (int) whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
    } else if (type instanceof LongType) {
      return whole(text, Long.MIN_VALUE, Long.MAX_VALUE);
    } else if (type instanceof TimestampType) {
      return timestamp(Instants.micros(text.strip()), target);
    } else if (type instanceof DecimalType decimal) {
      return decimal(text, decimal);
    } else if (type instanceof DoubleType) {
      return Double.parseDouble(text.strip());
    } else if (type instanceof BooleanType) {
      return bool(text.strip());
    } else if (type instanceof DateType) {
      return (int) LocalDate.parse(text.strip()).toEpochDay();
    } else if (type instanceof FloatType) {
      return Float.parseFloat(text.strip());
    } else if (type instanceof ShortType) {
      return (short) whole(text, Short.MIN_VALUE, Short.MAX_VALUE);
    } else if (type instanceof ByteType) {
      return (byte) whole(text, Byte.MIN_VALUE, Byte.MAX_VALUE);
    } else if (type instanceof TimeType) {
      return LocalTime.parse(text.strip()).toNanoOfDay();
    } else if (type instanceof BinaryType) {
      return HexFormat.of().parseHex(text.strip());
    }
    throw new IllegalArgumentException();
  }

  /** The timestamp with as many digits as the column has. */
  static long timestamp(long micros, Target target) {
    long unit = POWERS[Math.max(0, 6 - (target.length() < 0 ? 3 : target.length()))];
    return Math.floorDiv(micros, unit) * unit;
  }

  private static final long[] POWERS = {1, 10, 100, 1000, 10_000, 100_000, 1_000_000};

  private static UTF8String string(String text, Target target) {
    int length = target.length();
    if (length >= 0 && text.codePointCount(0, text.length()) > length) {
      String kept = text.substring(0, text.offsetByCodePoints(0, length));
      if (!text.substring(kept.length()).isBlank()) {
        throw new DoesNotFit();
      }
      text = kept;
    }
    if (length >= 0 && target.sqlType().startsWith("CHAR")) {
      text += " ".repeat(length - text.codePointCount(0, text.length()));
    }
    return UTF8String.fromString(text);
  }

  private static long whole(String text, long least, long greatest) {
    String digits = text.strip();
    long number;
    try {
      number = Long.parseLong(digits);
    } catch (NumberFormatException e) {
      // 4.0 and 1e3 are whole numbers too; 4.5 throws.
      BigDecimal exact = new BigDecimal(digits);
      if (exact.precision() - exact.scale() > 19) {
        throw new DoesNotFit();
      }
      java.math.BigInteger integer = exact.toBigIntegerExact();
      if (integer.bitLength() > 63) {
        throw new DoesNotFit();
      }
      number = integer.longValue();
    }
    if (number < least || number > greatest) {
      throw new DoesNotFit();
    }
    return number;
  }

  private static Decimal decimal(String text, DecimalType type) {
    BigDecimal number = new BigDecimal(text.strip());
    if ((long) number.precision() - number.scale() > type.precision() - type.scale()) {
      throw new DoesNotFit();
    }
    number = number.setScale(type.scale(), RoundingMode.HALF_UP);
    if (number.precision() > type.precision()) {
      throw new DoesNotFit();
    }
    return Decimal.apply(number, type.precision(), type.scale());
  }

  private static boolean bool(String text) {
    if (text.equalsIgnoreCase("true")) {
      return true;
    } else if (text.equalsIgnoreCase("false")) {
      return false;
    }
    throw new IllegalArgumentException();
  }

  private static String shown(String text) {
    return "'" + (text.length() <= 60 ? text : text.substring(0, 57) + "...") + "'";
  }
}
