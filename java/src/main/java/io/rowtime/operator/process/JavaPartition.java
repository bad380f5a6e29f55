package io.rowtime.operator.process;

import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The states and timers of a partition, in memory. */
final class JavaPartition implements Processor.Partition {
  final PartitionStates states = new PartitionStates();
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
      String name = new String(saved.bytes(), StandardCharsets.UTF_8);
      timers.put(name, saved.fixed());
    }
    states.load(saved);
  }

  @Override public void save(Output to) {
    to.fixed(latest);
    to.number(timers.size());
    new TreeMap<>(timers).forEach((name, at) -> {
      to.bytes(name.getBytes(StandardCharsets.UTF_8));
      to.fixed(at);
    });
    states.save(to);
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
    return Math.min(timer != null ? timers.get(timer) : ends(), states.earliestEnd());
  }

  /** The bound at which all states end; there is none while a timer is set. */
  private long ends() {
    return stateTtl == null || !timers.isEmpty() || latest > Long.MAX_VALUE - stateTtl - 1 ? Long.MAX_VALUE : latest + stateTtl + 1;
  }

  /** Forgets what has ended at a bound: before each row and timer, so that a read does not depend on where batches end. */
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
