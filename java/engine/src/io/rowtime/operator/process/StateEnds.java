package io.rowtime.operator.process;

import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/** The expiry times of the states of a partition, and of the entries of its maps, in microseconds. */
final class StateEnds {
  /** A state, or an entry of a map; {@code key} is used for entries only. */
  record Part(String state, boolean entry, Object key) {
    Part(String state) {
      this(state, false, null);
    }
  }

  private record Queued(long end, Part part) {}

  private final Map<Part, Long> ends = new HashMap<>();
  /** All expiry times, including some that a later write has replaced. */
  private final PriorityQueue<Queued> queue = new PriorityQueue<>(Comparator.comparingLong(Queued::end));

  /** @param end {@link PartitionStates#NEVER} to remove the expiry */
  void set(Part part, long end) {
    if (end == PartitionStates.NEVER) {
      if (!ends.isEmpty()) {
        ends.remove(part);
      }
      return;
    }
    Long before = ends.put(part, end);
    if (before == null || before != end) {
      queue.add(new Queued(end, part));
    }
    if (queue.size() > 2 * ends.size() + 64) {
      queue.clear();
      ends.forEach((each, at) -> queue.add(new Queued(at, each)));
    }
  }

  void clear() {
    ends.clear();
    queue.clear();
  }

  long earliest() {
    Queued first = queue.peek();
    while (first != null && !current(first)) {
      queue.remove();
      first = queue.peek();
    }
    return first == null ? PartitionStates.NEVER : first.end;
  }

  private boolean current(Queued queued) {
    Long end = ends.get(queued.part);
    return end != null && end == queued.end;
  }

  /** Removes and returns a part that has expired at a time; null if there is none. */
  Part next(long time) {
    if (ends.isEmpty() || earliest() > time) {
      return null;
    }
    Part part = queue.remove().part;
    ends.remove(part);
    return part;
  }

  void save(Output to) {
    to.number(ends.size());
    ends.forEach((part, end) -> {
      to.bytes(part.state.getBytes(StandardCharsets.UTF_8));
      to.flag(part.entry);
      KeptValues.write(part.key, to);
      to.fixedLong(end);
    });
  }

  void load(Input saved) {
    if (!saved.hasMore()) {
      // Written by a version without expiry times.
      return;
    }
    for (int i = saved.count(); i > 0; i--) {
      String state = new String(saved.bytes(), StandardCharsets.UTF_8);
      boolean entry = saved.flag();
      Object key = KeptValues.read(saved);
      set(new Part(state, entry, key), saved.fixedLong());
    }
  }
}
