package io.rowtime.api;

import java.util.List;

/** A state of values in the order in which they were added. */
public interface ListState<T> {
  /** The values; the list cannot be changed. */
  List<T> get();

  void add(T value);

  /** Replaces all values by these. */
  void set(List<T> values);

  void clear();
}
