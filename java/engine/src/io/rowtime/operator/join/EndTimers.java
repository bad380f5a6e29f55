package io.rowtime.operator.join;

import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The join keys that have rows which end, by the time at which they do, so that their rows are found without reading others.
 *
 * <p>Times are rounded up, the more the further they are from those of the rows that arrive: there are at most a few thousand, whatever
 * the rows say. The keys of a time are in chunks, one for each batch that added some.
 */
final class EndTimers {
  private static final long SECOND = 1_000_000;
  /** The parts of the distance to a time by which it may be rounded. */
  private static final long PARTS = 64;

  private final int number;
  private States.Entries entries;
  /** How many chunks a time has; null before it is read. */
  private NavigableMap<Long, Integer> chunks;
  private final Map<Long, List<byte[]>> added = new TreeMap<>();
  private boolean changed;
  /** The first time that was added: others are near it as long as no better one is known. */
  private long first = Long.MIN_VALUE;

  /** @param number tells its entries apart from others */
  EndTimers(int number) {
    this.number = number;
  }

  void attach(States.Entries to) {
    entries = to;
    chunks = null;
    changed = false;
  }

  /**
   * Adds a key with rows that end at a time.
   *
   * @param about the time of the rows that arrive; the least long if it is not known
   */
  void add(byte[] key, long end, long about) {
    List<byte[]> keys = added.computeIfAbsent(rounded(end, about), missing -> new ArrayList<>());
    // The rows of a key come together.
    if (keys.isEmpty() || keys.get(keys.size() - 1) != key) {
      keys.add(key);
    }
  }

  private long rounded(long end, long about) {
    first = first == Long.MIN_VALUE ? end : first;
    long part = Math.max(Math.abs(end / PARTS - (about == Long.MIN_VALUE ? first : about) / PARTS), SECOND);
    long width = Long.highestOneBit(part / SECOND) * SECOND;
    return -Math.floorDiv(-end, width) * width;
  }

  /** Removes the times that have passed, and passes on their keys; one may come several times. */
  void removeBefore(long now, Consumer<byte[]> ended) {
    while (!read().isEmpty() && chunks.firstKey() < now) {
      Map.Entry<Long, Integer> first = chunks.pollFirstEntry();
      changed = true;
      for (int chunk = 0; chunk < first.getValue(); chunk++) {
        byte[] stateKey = stateKey(first.getKey(), chunk);
        Input keys = new Input(entries.get(stateKey));
        entries.remove(stateKey);
        for (int left = keys.count(); left > 0; left--) {
          ended.accept(keys.bytes());
        }
      }
    }
  }

  /** Writes what the batch has changed. */
  void write() {
    added.forEach((time, keys) -> {
      Output to = new Output();
      to.number(keys.size());
      keys.forEach(to::bytes);
      entries.put(stateKey(time, read().merge(time, 1, Integer::sum) - 1), to.toBytes());
      changed = true;
    });
    added.clear();
    if (!changed) {
      return;
    }
    changed = false;
    if (chunks.isEmpty()) {
      entries.remove(stateKey());
      return;
    }
    Output to = new Output();
    to.number(chunks.size());
    long before = 0;
    for (Map.Entry<Long, Integer> each : chunks.entrySet()) {
      to.number(each.getKey() / SECOND - before);
      to.number(each.getValue());
      before = each.getKey() / SECOND;
    }
    entries.put(stateKey(), to.toBytes());
  }

  private NavigableMap<Long, Integer> read() {
    if (chunks == null) {
      chunks = new TreeMap<>();
      byte[] saved = entries.get(stateKey());
      if (saved != null) {
        Input from = new Input(saved);
        long time = 0;
        for (int left = from.count(); left > 0; left--) {
          time += from.number();
          chunks.put(time * SECOND, from.count());
        }
      }
    }
    return chunks;
  }

  private byte[] stateKey() {
    Output to = new Output();
    to.number(number);
    return to.toBytes();
  }

  private byte[] stateKey(long time, int chunk) {
    Output to = new Output();
    to.number(number);
    to.number(time / SECOND);
    to.number(chunk);
    return to.toBytes();
  }
}
