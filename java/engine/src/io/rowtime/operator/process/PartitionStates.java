package io.rowtime.operator.process;

import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The states of a partition by name: values, lists and maps. A value, a list or an entry of a map can have an expiry,
 * the time at which it is removed.
 */
final class PartitionStates {
  /** The expiry of state that is kept until the function removes it. */
  static final long NEVER = Long.MAX_VALUE;

  private final Map<String, Object> states = new TreeMap<>();
  private final StateEnds ends = new StateEnds();

  Object get(String name) {
    return states.get(name);
  }

  /** Writes a value or a whole list. */
  void set(String name, Object value, long end) {
    if (states.get(name) instanceof Map) {
      remove(name);
    }
    states.put(name, value);
    ends.set(new StateEnds.Part(name), end);
  }

  /** Appends to a list. */
  @SuppressWarnings("unchecked") void add(String list, Object value, long end) {
    ((List<Object>) states.computeIfAbsent(list, name -> new ArrayList<>())).add(value);
    ends.set(new StateEnds.Part(list), end);
  }

  /** Writes an entry of a map. */
  @SuppressWarnings("unchecked") void put(String map, Object key, Object value, long end) {
    ((Map<Object, Object>) states.computeIfAbsent(map, name -> new LinkedHashMap<>())).put(key, value);
    ends.set(new StateEnds.Part(map, true, key), end);
  }

  /** Removes an entry of a map. */
  void removeEntry(String map, Object key) {
    ends.set(new StateEnds.Part(map, true, key), NEVER);
    if (states.get(map) instanceof Map<?, ?> entries && entries.containsKey(key)) {
      entries.remove(key);
      if (entries.isEmpty()) {
        states.remove(map);
      }
    }
  }

  void remove(String name) {
    if (states.remove(name) instanceof Map<?, ?> entries) {
      entries.keySet().forEach(key -> ends.set(new StateEnds.Part(name, true, key), NEVER));
    }
    ends.set(new StateEnds.Part(name), NEVER);
  }

  void clear() {
    states.clear();
    ends.clear();
  }

  boolean isEmpty() {
    return states.isEmpty();
  }

  /** Returns the earliest expiry, in microseconds, or {@link #NEVER}. */
  long earliestEnd() {
    return ends.earliest();
  }

  /** Removes state that has expired at a time; a read at its expiry does not find it. */
  void expire(long time) {
    for (StateEnds.Part part = ends.next(time); part != null; part = ends.next(time)) {
      if (part.entry()) {
        removeEntry(part.state(), part.key());
      } else {
        remove(part.state());
      }
    }
  }

  void save(Output to) {
    to.number(states.size());
    states.forEach((name, value) -> {
      to.bytes(name.getBytes(StandardCharsets.UTF_8));
      KeptValues.write(value, to);
    });
    ends.save(to);
  }

  void load(Input saved) {
    for (int i = saved.count(); i > 0; i--) {
      String name = new String(saved.bytes(), StandardCharsets.UTF_8);
      states.put(name, KeptValues.read(saved));
    }
    ends.load(saved);
  }
}
