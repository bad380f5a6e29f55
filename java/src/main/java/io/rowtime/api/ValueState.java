package io.rowtime.api;

/** A state of one value. */
public interface ValueState<T> {
  /** The value, or null if there is none. */
  T get();

  /** The value, or {@code other} if there is none. */
  default T orElse(T other) {
    T value = get();
    return value == null ? other : value;
  }

  /** Keeps a value; null clears the state. */
  void set(T value);

  void clear();
}
