package io.rowtime.api;

/** State: one value. */
public interface ValueState<T> {
  /** Returns the value, or null if there is none. */
  T get();

  /** Returns the value, or {@code other} if there is none. */
  default T orElse(T other) {
    T value = get();
    return value == null ? other : value;
  }

  /** Sets the value; null clears the state. */
  void set(T value);

  void clear();
}
