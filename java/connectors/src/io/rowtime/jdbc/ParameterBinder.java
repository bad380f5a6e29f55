package io.rowtime.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.function.Function;

/** Binds Spark's values as parameters of a statement. */
final class ParameterBinder {
  private static final DateTimeFormatter DATE_AND_TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS");
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  /** How to bind values that Spark represents as numbers. */
  private static final Map<String, Function<Number, Object>> TIMES = Map.of(
      "TIMESTAMP", micros -> LocalDateTime.ofEpochSecond(Math.floorDiv(micros.longValue(), 1_000_000L),
          (int) Math.floorMod(micros.longValue(), 1_000_000L) * 1000, ZoneOffset.UTC),
      "DATE", days -> LocalDate.ofEpochDay(days.longValue()),
      "TIME", micros -> LocalTime.ofNanoOfDay(micros.longValue() * 1000));

  private ParameterBinder() {}

  /**
   * Sets a parameter.
   *
   * @param number the number of the parameter, from 1
   * @param field the column that the value is compared with, or written to
   * @param type the SQL type of the value, without its precision
   * @param value TIMESTAMP as microseconds since 1970, DATE as days since 1970, TIME as microseconds of the day; or null
   * @param asText whether dates and times are stored as text, as in SQLite, which has no types for them
   */
  static void set(PreparedStatement statement, int number, Database.Field field, String type, Object value, boolean asText) throws SQLException {
    Function<Number, Object> time = TIMES.get(type);
    if (value == null) {
      statement.setNull(number, field.type());
    } else if (time != null) {
      Object made = time.apply((Number) value);
      if (asText) {
        statement.setString(number, text(made));
      } else if (field.isInstant() && made instanceof LocalDateTime utc) {
        statement.setObject(number, utc.atOffset(ZoneOffset.UTC));
      } else {
        statement.setObject(number, made);
      }
    } else if (value instanceof byte[] bytes) {
      statement.setBytes(number, bytes);
    } else {
      statement.setObject(number, value);
    }
  }

  private static String text(Object time) {
    return time instanceof LocalDateTime at ? at.format(DATE_AND_TIME)
        : time instanceof LocalTime of ? of.format(TIME) : time.toString();
  }
}
