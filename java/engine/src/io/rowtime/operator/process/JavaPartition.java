package io.rowtime.operator.process;

import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The state and timers of a partition, in memory. */
final class JavaPartition implements Processor.Partition {
  final PartitionStates states = new PartitionStates();
  /** The timers by name, in microseconds. */
  final Map<String, Long> timers = new HashMap<>();
  /** The time of the latest row or timer. */
  long latest = Long.MIN_VALUE;
  private final Long stateTtl;

  /** @param stateTtl the time to live of the state, in microseconds; null if it does not expire */
  JavaPartition(Long stateTtl) {
    this.stateTtl = stateTtl;
  }

  JavaPartition(Long stateTtl, Input saved) {
    this(stateTtl);
    latest = saved.fixedLong();
    for (int i = saved.count(); i > 0; i--) {
      String name = new String(saved.bytes(), StandardCharsets.UTF_8);
      timers.put(name, saved.fixedLong());
    }
    states.load(saved);
  }

  @Override public void save(Output to) {
    to.fixedLong(latest);
    to.number(timers.size());
    new TreeMap<>(timers).forEach((name, at) -> {
      to.bytes(name.getBytes(StandardCharsets.UTF_8));
      to.fixedLong(at);
    });
    states.save(to);
  }

  @Override public boolean isEmpty() {
    return states.isEmpty() && timers.isEmpty();
  }

  /** Returns the next timer, the first by name among those of the same time; null if none is set. */
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
    return Math.min(timer != null ? timers.get(timer) : ends(), states.earliestEnd());
  }

  /** Returns the bound at which all state expires; never while a timer is set. */
  private long ends() {
    return stateTtl == null || !timers.isEmpty() || latest > Long.MAX_VALUE - stateTtl - 1 ? Long.MAX_VALUE : latest + stateTtl + 1;
  }

  /**
   * Removes state that has expired at a bound. Called before each row and timer, so that a read does not depend on
   * where batches end.
   */
  void end(long bound) {
    if (bound == Long.MAX_VALUE) {
      return;
    }
    states.expire(bound);
    if (bound >= ends()) {
      states.clear();
    }
  }
}
