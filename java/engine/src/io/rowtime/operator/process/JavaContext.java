package io.rowtime.operator.process;

import io.rowtime.api.InputRow;
import io.rowtime.api.ListState;
import io.rowtime.api.MapState;
import io.rowtime.api.ProcessContext;
import io.rowtime.api.ValueState;
import io.rowtime.functions.ApiValues;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** The current row and its partition; one object is reused for all rows. */
final class JavaContext implements ProcessContext, InputRow {
  private final ProcessColumns columns;
  private final Map<String, Object> arguments;
  private final long delay;
  JavaPartition partition;
  byte[] key;
  UnsafeRow row;
  /** In microseconds. */
  long now;
  Processor.Emitter out;

  JavaContext(ProcessColumns columns, Map<String, Object> arguments, long delay) {
    this.columns = columns;
    this.arguments = arguments;
    this.delay = delay;
  }

  @Override public List<String> columns() {
    return columns.names();
  }

  @Override public Object get(String column) {
    return columns.value(row, column);
  }

  @Override public Instant rowtime() {
    return ApiValues.instant(now);
  }

  @Override public <T> T key(String column, Class<T> type) {
    return type.cast(columns.key(key, column));
  }

  @Override public <T> T argument(String parameter, Class<T> type) {
    String name = parameter.toUpperCase(Locale.ROOT);
    if (!arguments.containsKey(name)) {
      throw new IllegalArgumentException("there is no parameter '" + parameter + "'");
    }
    return type.cast(arguments.get(name));
  }

  @Override public void setTimer(String name, Instant at) {
    long micros = ApiValues.micros(at);
    if (micros <= now) {
      throw new IllegalArgumentException("the timer '" + name + "' is set for " + at + ", which is not later than " + rowtime());
    }
    partition.timers.put(name, micros);
  }

  @Override public Instant timer(String name) {
    Long at = partition.timers.get(name);
    return at == null ? null : ApiValues.instant(at);
  }

  @Override public void clearTimer(String name) {
    partition.timers.remove(name);
  }

  @Override public void clear() {
    partition.states.clear();
    partition.timers.clear();
  }

  @Override public void emit(Object... values) {
    out.emit(key, now, columns.results(values));
  }

  @Override public void emitAt(Instant rowtime, Object... values) {
    long micros = ApiValues.micros(rowtime);
    if (micros < now - delay) {
      throw new IllegalArgumentException("it emits a row with ROWTIME " + rowtime + ", which is more than its delay of "
          + Duration.ofMillis(delay / 1000) + " before " + rowtime());
    }
    out.emit(key, micros, columns.results(values));
  }

  private <T> T state(String name, Class<T> kind) {
    Object state = partition.states.get(name);
    if (state != null && !kind.isInstance(state)) {
      throw new IllegalStateException("the state '" + name + "' is of another kind");
    }
    return kind.cast(state);
  }

  private static <T> T requireType(T value, Class<T> type) {
    KeptValues.check(type.cast(value));
    return value;
  }

  /** Returns the time to live in microseconds; null for state that does not expire. */
  private static Long micros(String name, Duration timeToLive) {
    long millis;
    try {
      millis = timeToLive.toMillis();
    } catch (ArithmeticException e) {
      millis = Long.MAX_VALUE;
    }
    if (millis < 1) {
      throw new IllegalArgumentException("the time to live of the state '" + name + "' is " + timeToLive + ", which is less than a millisecond");
    }
    return millis > Long.MAX_VALUE / 1000 ? null : (Long) (millis * 1000);
  }

  /** Returns the expiry of a value that is written now. */
  private long end(Long timeToLive) {
    return timeToLive == null || timeToLive > PartitionStates.NEVER - Math.max(now, 0) ? PartitionStates.NEVER : now + timeToLive;
  }

  @Override public <T> ValueState<T> value(String name, Class<T> type) {
    return value(name, type, (Long) null);
  }

  @Override public <T> ValueState<T> value(String name, Class<T> type, Duration timeToLive) {
    return value(name, type, micros(name, timeToLive));
  }

  private <T> ValueState<T> value(String name, Class<T> type, Long timeToLive) {
    return new ValueState<>() {
      @Override public T get() {
        return type.cast(partition.states.get(name));
      }

      @Override public void set(T value) {
        if (value == null) {
          clear();
        } else {
          partition.states.set(name, requireType(value, type), end(timeToLive));
        }
      }

      @Override public void clear() {
        partition.states.remove(name);
      }
    };
  }

  @Override public <T> ListState<T> list(String name, Class<T> type) {
    return list(name, type, (Long) null);
  }

  @Override public <T> ListState<T> list(String name, Class<T> type, Duration timeToLive) {
    return list(name, type, micros(name, timeToLive));
  }

  private <T> ListState<T> list(String name, Class<T> type, Long timeToLive) {
    return new ListState<>() {
      @SuppressWarnings("unchecked") @Override public List<T> get() {
        List<T> kept = state(name, List.class);
        return kept == null ? List.of() : Collections.unmodifiableList(kept);
      }

      @Override public void add(T value) {
        state(name, List.class);
        partition.states.add(name, requireType(value, type), end(timeToLive));
      }

      @Override public void set(List<T> values) {
        List<T> copy = new ArrayList<>(values);
        copy.forEach(value -> requireType(value, type));
        if (copy.isEmpty()) {
          clear();
        } else {
          partition.states.set(name, copy, end(timeToLive));
        }
      }

      @Override public void clear() {
        partition.states.remove(name);
      }
    };
  }

  @Override public <K, V> MapState<K, V> map(String name, Class<K> keys, Class<V> values) {
    return map(name, keys, values, (Long) null);
  }

  @Override public <K, V> MapState<K, V> map(String name, Class<K> keys, Class<V> values, Duration timeToLive) {
    return map(name, keys, values, micros(name, timeToLive));
  }

  private <K, V> MapState<K, V> map(String name, Class<K> keys, Class<V> values, Long timeToLive) {
    return new MapState<>() {
      @SuppressWarnings("unchecked") private Map<K, V> kept() {
        return state(name, Map.class);
      }

      @Override public V get(K key) {
        Map<K, V> kept = kept();
        return kept == null ? null : kept.get(key);
      }

      @Override public void put(K key, V value) {
        kept();
        partition.states.put(name, requireType(key, keys), requireType(value, values), end(timeToLive));
      }

      @Override public void remove(K key) {
        kept();
        partition.states.removeEntry(name, key);
      }

      @Override public Map<K, V> entries() {
        Map<K, V> kept = kept();
        return kept == null ? Map.of() : Collections.unmodifiableMap(kept);
      }

      @Override public void clear() {
        partition.states.remove(name);
      }
    };
  }
}
