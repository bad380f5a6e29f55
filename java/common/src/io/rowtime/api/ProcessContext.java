package io.rowtime.api;

import java.time.Duration;
import java.time.Instant;

/**
 * The state, timers and output of the partition whose row or timer is being processed.
 *
 * <p>A state has a name and contains values of the types that {@link InputRow} lists. State is saved with the query. If
 * the function declares {@code state_ttl}, all state of a partition is dropped when that time has passed since its
 * latest row or timer and no timer is set.
 *
 * <p>State with a time to live expires on its own: a value written at a ROWTIME is visible to rows and timers earlier
 * than that ROWTIME plus the time to live, and is then removed, even if a timer is set. Each write sets the expiry
 * anew, by the time to live given with it, in whole milliseconds; a value written without one does not expire. Reading
 * does not change the expiry.
 */
public interface ProcessContext {
  /** Returns the ROWTIME of the row, or the time of the timer. No later row of the table has an earlier ROWTIME. */
  Instant rowtime();

  /**
   * Returns the value of a PARTITION BY column.
   *
   * @throws IllegalArgumentException if there is no such column
   */
  <T> T key(String column, Class<T> type);

  /**
   * Returns the value of an argument of the call.
   *
   * @throws IllegalArgumentException if there is no such parameter
   */
  <T> T argument(String parameter, Class<T> type);

  /** Returns a state that contains one value. */
  <T> ValueState<T> value(String name, Class<T> type);

  /**
   * Returns a state that contains one value and expires.
   *
   * @param timeToLive the time from its last write, at least one millisecond
   * @throws IllegalArgumentException if it is shorter
   */
  <T> ValueState<T> value(String name, Class<T> type, Duration timeToLive);

  /** Returns a state that contains a list of values, in the order in which they were added. */
  <T> ListState<T> list(String name, Class<T> type);

  /**
   * Returns a state that contains a list of values and expires as a whole.
   *
   * @param timeToLive the time from the last {@code add} or {@code set}, at least one millisecond
   * @throws IllegalArgumentException if it is shorter
   */
  <T> ListState<T> list(String name, Class<T> type, Duration timeToLive);

  /** Returns a state that contains a map of values by key. */
  <K, V> MapState<K, V> map(String name, Class<K> keys, Class<V> values);

  /**
   * Returns a state that contains a map of values by key, in which each entry expires on its own.
   *
   * @param timeToLive the time from an entry's last {@code put}, at least one millisecond
   * @throws IllegalArgumentException if it is shorter
   */
  <K, V> MapState<K, V> map(String name, Class<K> keys, Class<V> values, Duration timeToLive);

  /**
   * Sets a timer, replacing any timer of the same name.
   *
   * @param at later than {@link #rowtime}, in whole milliseconds
   * @throws IllegalArgumentException if it is not later
   */
  void setTimer(String name, Instant at);

  /** Returns the time of a timer, or null if it is not set. */
  Instant timer(String name);

  void clearTimer(String name);

  /** Removes all state and timers of the partition. */
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
   * @param rowtime in whole milliseconds; at most the {@code delay} that the function declares before {@link #rowtime}
   * @throws IllegalArgumentException as {@link #emit}, or if {@code rowtime} is too early
   */
  void emitAt(Instant rowtime, Object... values);
}
