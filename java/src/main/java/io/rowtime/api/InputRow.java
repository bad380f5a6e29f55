package io.rowtime.api;

import java.util.List;

/**
 * A row of the table that a function processes.
 *
 * <p>Values are: Boolean, Byte, Short, Integer, Long, Float, Double, {@link java.math.BigDecimal}, String, {@code byte[]}, {@link
 * java.time.LocalDate}, {@link java.time.LocalTime}, {@link java.time.Instant} of a TIMESTAMP, {@link java.time.Duration} and
 * {@link java.time.Period} of intervals, List of an ARRAY and of a ROW, Map of a MAP; null of NULL.
 */
public interface InputRow {
  /** The names of the columns. */
  List<String> columns();

  /**
   * The value of a column.
   *
   * @param column its name; names are found in any case
   * @throws IllegalArgumentException if there is no such column
   */
  Object get(String column);

  /**
   * The value of a column as a type.
   *
   * @throws IllegalArgumentException if there is no such column
   * @throws ClassCastException if its values are of another type
   */
  default <T> T get(String column, Class<T> type) {
    return type.cast(get(column));
  }
}
