package io.rowtime.records;

import io.rowtime.limits.Limits;
import io.rowtime.limits.Numbers;
import io.rowtime.limits.Texts;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.HexFormat;
import org.apache.spark.sql.catalyst.util.IntervalUtils;
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
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;
import org.apache.spark.unsafe.types.UTF8String;

/** Converts the text of a cell to a value in Spark's internal form. */
final class Cells {
  /** Times are in the years 1 to 9999, as everywhere in rowtime. */
  private static final LocalDate FIRST = LocalDate.of(1, 1, 1);
  private static final LocalDate LAST = LocalDate.of(9999, 12, 31);
  private static final long DAY = 86_400_000_000L;
  private static final int MAX_SHOWN = 60;

  private Cells() {}

  private static final class DoesNotFit extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DoesNotFit() {
      super(null, null, false, false);
    }
  }

  private static final class HalfCharacter extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HalfCharacter() {
      super(null, null, false, false);
    }
  }

  /** Returns the value of a column; {@code text} is null if the record has none. */
  static Object read(String text, RecordColumn target) throws InvalidRecord {
    if (text == null) {
      if (!target.nullable()) {
        throw new InvalidRecord(target.name() + ": NULL in a column that is NOT NULL");
      }
      return null;
    }
    try {
      return convert(text, target.type(), target.form());
    } catch (DoesNotFit e) {
      throw new InvalidRecord(target.name() + ": " + forMessage(text) + " does not fit in " + target.sqlType());
    } catch (HalfCharacter e) {
      throw new InvalidRecord(target.name() + ": " + forMessage(text) + " contains an unpaired surrogate");
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
      String article = "AEIOU".indexOf(target.sqlType().charAt(0)) >= 0 ? " is not an " : " is not a ";
      throw new InvalidRecord(target.name() + ": " + forMessage(text) + article + target.sqlType());
    }
  }

  /** Returns a value of a column, or one nested in another. */
  static Object convert(String text, DataType type, ValueForm form) {
    if (type instanceof StringType) {
      return string(text, form);
    } else if (type instanceof IntegerType) {
      return (int) wholeNumber(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
    } else if (type instanceof LongType) {
      return wholeNumber(text, Long.MIN_VALUE, Long.MAX_VALUE);
    } else if (type instanceof TimestampType) {
      return timestamp(Instants.micros(text.strip()), form.precision());
    } else if (type instanceof DecimalType decimal) {
      return decimal(text, decimal);
    } else if (type instanceof DoubleType) {
      return Double.parseDouble(number(text));
    } else if (type instanceof BooleanType) {
      return bool(text.strip());
    } else if (type instanceof DateType) {
      return (int) checkRange(LocalDate.parse(text.strip())).toEpochDay();
    } else if (type instanceof FloatType) {
      return Float.parseFloat(number(text));
    } else if (type instanceof ShortType) {
      return (short) wholeNumber(text, Short.MIN_VALUE, Short.MAX_VALUE);
    } else if (type instanceof ByteType) {
      return (byte) wholeNumber(text, Byte.MIN_VALUE, Byte.MAX_VALUE);
    } else if (type instanceof TimeType) {
      return truncate(LocalTime.parse(text.strip()).toNanoOfDay() / 1000, form.precision()) * 1000;
    } else if (type instanceof BinaryType) {
      return bytes(HexFormat.of().parseHex(text.strip()), form);
    } else if (type instanceof DayTimeIntervalType interval) {
      return IntervalUtils.castStringToDTInterval(UTF8String.fromString(text), interval.startField(), interval.endField());
    } else if (type instanceof YearMonthIntervalType interval) {
      return IntervalUtils.castStringToYMInterval(UTF8String.fromString(text), interval.startField(), interval.endField());
    } else if (Nested.is(type)) {
      return Nested.read(text, type, form);
    }
    throw new IllegalArgumentException();
  }

  /** Returns the timestamp truncated to {@code precision} fractional digits; three for -1. */
  private static long timestamp(long micros, int precision) {
    if (micros < FIRST.toEpochDay() * DAY || micros >= (LAST.toEpochDay() + 1) * DAY) {
      throw new DoesNotFit();
    }
    return truncate(micros, precision);
  }

  private static long truncate(long micros, int precision) {
    long unit = POWERS[Math.max(0, 6 - (precision < 0 ? 3 : precision))];
    return Math.floorDiv(micros, unit) * unit;
  }

  /** Returns the value of a TIMESTAMP column, from microseconds since 1970. */
  static long timestamp(long micros, RecordColumn target) throws InvalidRecord {
    try {
      return timestamp(micros, target.form().precision());
    } catch (DoesNotFit e) {
      throw new InvalidRecord(target.name() + ": " + micros / 1000 + " does not fit in " + target.sqlType());
    }
  }

  private static LocalDate checkRange(LocalDate date) {
    if (date.isBefore(FIRST) || date.isAfter(LAST)) {
      throw new DoesNotFit();
    }
    return date;
  }

  private static final long[] POWERS = {1, 10, 100, 1000, 10_000, 100_000, 1_000_000};

  private static UTF8String string(String text, ValueForm form) {
    if (Texts.loneSurrogate(text, 0) >= 0) {
      throw new HalfCharacter();
    }
    int length = form.precision();
    if (length >= 0 && text.codePointCount(0, text.length()) > length) {
      String kept = text.substring(0, text.offsetByCodePoints(0, length));
      if (!text.substring(kept.length()).chars().allMatch(each -> each == ' ')) {
        throw new DoesNotFit();
      }
      text = kept;
    }
    if (form.pads()) {
      text += " ".repeat(length - text.codePointCount(0, text.length()));
    }
    return UTF8String.fromString(text);
  }

  /** Returns the bytes of a value, padded with zeros if its type is BINARY. */
  static byte[] bytes(byte[] given, ValueForm form) {
    if (form.precision() >= 0 && given.length > form.precision()) {
      throw new DoesNotFit();
    }
    return form.pads() ? Arrays.copyOf(given, form.precision()) : given;
  }

  private static long wholeNumber(String text, long least, long greatest) {
    String digits = number(text);
    long number;
    if (isShortWhole(digits)) {
      number = Long.parseLong(digits);
    } else {
      // 4.0 and 1e3 are integers too; 4.5 throws.
      BigDecimal exact = Numbers.decimal(digits);
      if (Numbers.wholeDigits(exact) > 19) {
        throw new DoesNotFit();
      }
      if (!Numbers.isWhole(exact)) {
        throw new NumberFormatException();
      }
      java.math.BigInteger integer = Numbers.round(exact, 0).unscaledValue();
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

  /** Returns whether the text is an optional sign followed by few enough digits for a long. */
  private static boolean isShortWhole(String text) {
    int from = text.startsWith("-") ? 1 : 0;
    if (text.length() == from || text.length() > 18) {
      return false;
    }
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private static Decimal decimal(String text, DecimalType type) {
    BigDecimal number = Numbers.decimal(number(text));
    if (Numbers.wholeDigits(number) > type.precision() - type.scale()) {
      throw new DoesNotFit();
    }
    number = Numbers.round(number, type.scale());
    if (number.precision() > type.precision()) {
      throw new DoesNotFit();
    }
    return Decimal.apply(number, type.precision(), type.scale());
  }

  private static String number(String text) {
    String stripped = text.strip();
    if (stripped.length() > Limits.NUMBER_LENGTH) {
      throw new DoesNotFit();
    }
    return stripped;
  }

  private static boolean bool(String text) {
    if (text.equalsIgnoreCase("true")) {
      return true;
    } else if (text.equalsIgnoreCase("false")) {
      return false;
    }
    throw new IllegalArgumentException();
  }

  private static String forMessage(String text) {
    return "'" + (text.length() <= MAX_SHOWN ? text : Texts.beginning(text, MAX_SHOWN - 3) + "...") + "'";
  }
}
