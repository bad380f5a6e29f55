package io.rowtime.api;

import java.util.List;

/**
 * A row of the table that a function processes.
 *
 * <p>The values are of these classes: Boolean, Byte, Short, Integer, Long, Float, Double, {@link java.math.BigDecimal}, String,
 * {@code byte[]}, {@link java.time.LocalDate}, {@link java.time.LocalTime}, {@link java.time.Instant} for a TIMESTAMP, {@link
 * java.time.Duration} and {@link java.time.Period} for intervals, List for an ARRAY and for a ROW, Map for a MAP; null for
 * NULL.
 */
public interface InputRow {
  /** Returns the names of the columns. */
  List<String> columns();

  /**
   * Returns the value of a column.
   *
   * @param column its name, in any case
   * @throws IllegalArgumentException if there is no such column
   */
  Object get(String column);

  /**
   * Returns the value of a column as an instance of a class.
   *
   * @throws IllegalArgumentException if there is no such column
   * @throws ClassCastException if its values are of another type
   */
  default <T> T get(String column, Class<T> type) {
    return type.cast(get(column));
  }
}
