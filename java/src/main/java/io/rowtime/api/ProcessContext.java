package io.rowtime.api;

import java.time.Instant;

/**
 * What a function has of the partition of the row or timer at hand.
 *
 * <p>States have names, and each keeps values of the types that {@link InputRow} names. They are saved with the query. Where the
 * function declares {@code state_ttl}, all states of a partition end when that time has passed since its latest row or timer and
 * no timer is set.
 */
public interface ProcessContext {
  /** The ROWTIME of the row, or the time of the timer: no later row of the table is earlier. */
  Instant rowtime();

  /**
   * The value of a PARTITION BY column.
   *
   * @throws IllegalArgumentException if there is no such column
   */
  <T> T key(String column, Class<T> type);

  /**
   * The value of an argument of the call.
   *
   * @throws IllegalArgumentException if there is no such parameter
   */
  <T> T argument(String parameter, Class<T> type);

  /** A state of one value. */
  <T> ValueState<T> value(String name, Class<T> type);

  /** A state of values in the order in which they were added. */
  <T> ListState<T> list(String name, Class<T> type);

  /** A state of values by keys. */
  <K, V> MapState<K, V> map(String name, Class<K> keys, Class<V> values);

  /**
   * Sets a timer, in place of the one of that name that may be set.
   *
   * @param at later than {@link #rowtime}, in whole milliseconds
   * @throws IllegalArgumentException if it is not later
   */
  void setTimer(String name, Instant at);

  /** When a timer is due, or null if it is not set. */
  Instant timer(String name);

  void clearTimer(String name);

  /** Forgets all states and timers of the partition. */
  void clear();

  /**
   * Emits a row of {@link #rowtime}.
   *
   * @param values those of the columns of RETURNS TABLE, in their order
   * @throws IllegalArgumentException if there are more or fewer, or one is not of its column's type
   */
  void emit(Object... values);

  /**
   * Emits a row of another ROWTIME.
   *
   * @param rowtime in whole milliseconds; before {@link #rowtime} by no more than the {@code delay} that the function declares
   * @throws IllegalArgumentException as of {@link #emit}, or where it is too early
   */
  void emitAt(Instant rowtime, Object... values);
}
