package io.rowtime.operator.process;

import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The states and timers of a partition, in memory. */
final class JavaPartition implements Processor.Partition {
  /** By name: a value, a list or a map. */
  final Map<String, Object> states = new TreeMap<>();
  /** By name, in microseconds. */
  final Map<String, Long> timers = new HashMap<>();
  /** The time of the latest row or timer. */
  long latest = Long.MIN_VALUE;
  private final Long stateTtl;

  /** @param stateTtl in microseconds; null for ever */
  JavaPartition(Long stateTtl) {
    this.stateTtl = stateTtl;
  }

  JavaPartition(Long stateTtl, Input saved) {
    this(stateTtl);
    latest = saved.fixed();
    for (int i = saved.count(); i > 0; i--) {
      String name = text(saved);
      timers.put(name, saved.fixed());
    }
    for (int i = saved.count(); i > 0; i--) {
      String name = text(saved);
      states.put(name, KeptValues.read(saved));
    }
  }

  @Override public void save(Output to) {
    to.fixed(latest);
    to.number(timers.size());
    new TreeMap<>(timers).forEach((name, at) -> {
      to.bytes(name.getBytes(StandardCharsets.UTF_8));
      to.fixed(at);
    });
    to.number(states.size());
    states.forEach((name, value) -> {
      to.bytes(name.getBytes(StandardCharsets.UTF_8));
      KeptValues.write(value, to);
    });
  }

  private static String text(Input from) {
    return new String(from.bytes(), StandardCharsets.UTF_8);
  }

  @Override public boolean isEmpty() {
    return states.isEmpty() && timers.isEmpty();
  }

  /** Of timers of one time the first by name; null if none is set. */
  String nextTimer() {
    String next = null;
    for (Map.Entry<String, Long> timer : timers.entrySet()) {
      int order = next == null ? -1 : timer.getValue().compareTo(timers.get(next));
      if (order < 0 || order == 0 && timer.getKey().compareTo(next) < 0) {
        next = timer.getKey();
      }
    }
    return next;
  }

  @Override public long due() {
    if (isEmpty()) {
      return Long.MAX_VALUE;
    }
    String timer = nextTimer();
    return timer != null ? timers.get(timer) : ends();
  }

  /** The bound at which the states end; there is none while a timer is set. */
  private long ends() {
    return stateTtl == null || !timers.isEmpty() || latest > Long.MAX_VALUE - stateTtl - 1 ? Long.MAX_VALUE : latest + stateTtl + 1;
  }

  /** Forgets the states if they have ended at a bound. */
  void end(long bound) {
    if (bound != Long.MAX_VALUE && bound >= ends()) {
      states.clear();
    }
  }
}
