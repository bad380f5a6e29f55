package io.rowtime.api;

import java.time.Duration;
import java.time.Instant;

/**
 * The state, timers and output of the partition whose row or timer is being processed.
 *
 * <p>States have names, and each keeps values of the types that {@link InputRow} names. They are saved with the query. If the
 * function declares {@code state_ttl}, all states of a partition are dropped when that time has passed since its latest row or
 * timer and no timer is set.
 *
 * <p>A state with a time to live ends by itself: what was written at a ROWTIME is there for rows and timers earlier than that
 * ROWTIME plus the time to live, and is removed then, also if a timer is set. Each write fixes the end anew, by the time to live
 * that is given with it, in whole milliseconds; a write without one has no end. Reading does not change it.
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

  /**
   * A state of one value that ends.
   *
   * @param timeToLive from its last write, at least a millisecond
   * @throws IllegalArgumentException if it is shorter
   */
  <T> ValueState<T> value(String name, Class<T> type, Duration timeToLive);

  /** A state of values in the order in which they were added. */
  <T> ListState<T> list(String name, Class<T> type);

  /**
   * A state of values that ends as a whole.
   *
   * @param timeToLive from the last {@code add} or {@code set}, at least a millisecond
   * @throws IllegalArgumentException if it is shorter
   */
  <T> ListState<T> list(String name, Class<T> type, Duration timeToLive);

  /** A state of values by keys. */
  <K, V> MapState<K, V> map(String name, Class<K> keys, Class<V> values);

  /**
   * A state of values by keys, each of which ends by itself.
   *
   * @param timeToLive of each entry, from its last {@code put}, at least a millisecond
   * @throws IllegalArgumentException if it is shorter
   */
  <K, V> MapState<K, V> map(String name, Class<K> keys, Class<V> values, Duration timeToLive);

  /**
   * Sets a timer, and replaces a timer of the same name.
   *
   * @param at later than {@link #rowtime}, in whole milliseconds
   * @throws IllegalArgumentException if it is not later
   */
  void setTimer(String name, Instant at);

  /** When a timer is due, or null if it is not set. */
  Instant timer(String name);

  void clearTimer(String name);

  /** Removes all states and timers of the partition. */
  void clear();

  /**
   * Emits a row with {@link #rowtime}.
   *
   * @param values the values of the columns of RETURNS TABLE, in order
   * @throws IllegalArgumentException if their number is wrong, or a value does not have the type of its column
   */
  void emit(Object... values);

  /**
   * Emits a row with another ROWTIME.
   *
   * @param rowtime in whole milliseconds; before {@link #rowtime} by no more than the {@code delay} that the function declares
   * @throws IllegalArgumentException as {@link #emit}, or if {@code rowtime} is too early
   */
  void emitAt(Instant rowtime, Object... values);
}
