package io.rowtime.api;

import java.util.Map;

/** A state of values by keys. */
public interface MapState<K, V> {
  /** The value of a key, or null. */
  V get(K key);

  void put(K key, V value);

  void remove(K key);

  /** The entries in the order in which the keys were put first; the map cannot be changed. */
  Map<K, V> entries();

  void clear();
}
