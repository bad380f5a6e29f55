package io.rowtime.claims;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * What this JVM remembers of the rows of a node: the furthest values of the micro-batches so far, and the keys that must
 * be unique. A micro-batch that runs again replaces what its first run has left.
 */
final class NodeRecord {
  /** The maximum number of rows whose keys are kept; beyond it, they are not checked. */
  private static final int MAX_KEYS = 500_000;

  private record Key(int claim, UnsafeRow values) {}

  private record Part(long stage, int partition) {}

  /** The furthest values of the micro-batches before the current one. */
  private BigDecimal[] earlier;
  private final Map<Part, BigDecimal[]> parts = new HashMap<>();
  private final Map<Key, List<Evaluation>> keys = new HashMap<>();
  private final Map<Key, UnsafeRow> values = new HashMap<>();
  private final boolean[] decreasing;
  private long current = -1;
  private long folded = -1;
  private String run = "";
  private int kept;

  /** @param decreasing for each ordered column whether its values decrease */
  NodeRecord(boolean[] decreasing) {
    this.decreasing = decreasing.clone();
    this.earlier = new BigDecimal[decreasing.length];
  }

  /** Returns the furthest value of each ordered column in the micro-batches before that of {@code task}; or null. */
  synchronized BigDecimal[] before(Evaluation task) {
    if (task.batch() == Evaluation.RELATION) {
      return new BigDecimal[earlier.length];
    }
    if (task.batch() <= folded) {
      // The query has started anew, or from an older checkpoint.
      earlier = new BigDecimal[earlier.length];
      parts.clear();
      keys.clear();
      values.clear();
      kept = 0;
      folded = task.batch() - 1;
    } else if (task.batch() > current) {
      parts.values().forEach(part -> advance(earlier, part));
      parts.clear();
      folded = task.batch() - 1;
    } else if (!task.run().equals(run)) {
      parts.clear();
    }
    current = task.batch();
    run = task.run();
    return earlier.clone();
  }

  /** Records the furthest values of a task that has succeeded. */
  synchronized void finish(Evaluation task, BigDecimal[] furthest) {
    if (task.batch() == current && task.run().equals(run)) {
      parts.put(new Part(task.stage(), task.partition()), furthest);
    }
  }

  /** Adds a row. Returns how many rows have this key, this one included. */
  synchronized long add(int claim, UnsafeRow values, Evaluation task) {
    if (kept >= MAX_KEYS) {
      return 0;
    }
    List<Evaluation> rows = keys.computeIfAbsent(new Key(claim, values), key -> new ArrayList<>(1));
    int before = rows.size();
    rows.removeIf(task::replaces);
    long beside = rows.stream().filter(task::isBeside).count();
    rows.add(task);
    kept += rows.size() - before;
    return beside + 1;
  }

  /** Returns the value that the first row with this key had; null if this is the first one, or it has the same. */
  synchronized UnsafeRow other(int claim, UnsafeRow key, UnsafeRow value) {
    if (kept >= MAX_KEYS) {
      return null;
    }
    UnsafeRow first = values.putIfAbsent(new Key(claim, key), value);
    kept += first == null ? 1 : 0;
    return value.equals(first) ? null : first;
  }

  /** Returns for how many rows keys are kept. */
  synchronized int kept() {
    return kept;
  }

  /** Moves {@code furthest} to the values that are further. */
  void advance(BigDecimal[] furthest, BigDecimal[] values) {
    for (int i = 0; i < furthest.length; i++) {
      if (values[i] != null && (furthest[i] == null || isBehind(i, furthest[i], values[i]))) {
        furthest[i] = values[i];
      }
    }
  }

  /** Returns whether a value of an ordered column is behind another one. */
  boolean isBehind(int column, BigDecimal value, BigDecimal other) {
    int sign = value.compareTo(other);
    return decreasing[column] ? sign > 0 : sign < 0;
  }
}
