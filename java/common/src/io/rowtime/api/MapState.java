package io.rowtime.api;

import java.util.Map;

/** State: a map of values by key. */
public interface MapState<K, V> {
  /** Returns the value of a key, or null. */
  V get(K key);

  void put(K key, V value);

  void remove(K key);

  /** Returns the entries, in the order in which their keys were first put, as an unmodifiable map. */
  Map<K, V> entries();

  void clear();
}
