package io.rowtime.api;

import java.util.List;

/** State: a list of values, in the order in which they were added. */
public interface ListState<T> {
  /** Returns the values as an unmodifiable list. */
  List<T> get();

  void add(T value);

  /** Replaces all values. */
  void set(List<T> values);

  void clear();
}
