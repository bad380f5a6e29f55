package io.rowtime.records;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.util.AccumulatorV2;

/** Counts the fields of records that fill no column, by name: each record that has one. Tasks add, and the driver takes. */
public final class UnknownFields extends AccumulatorV2<String, Map<String, Long>> {
  private static final long serialVersionUID = 1L;
  /** Anyone may have chosen the names: others are counted together. */
  private static final int MOST = 100;
  private static final int LONGEST = 200;
  private static final String OTHERS = "…";

  private final HashMap<String, Long> counts = new HashMap<>();

  @Override public synchronized boolean isZero() {
    return counts.isEmpty();
  }

  @Override public AccumulatorV2<String, Map<String, Long>> copy() {
    UnknownFields copy = new UnknownFields();
    copy.merge(this);
    return copy;
  }

  @Override public synchronized void reset() {
    counts.clear();
  }

  @Override public void add(String name) {
    add(name, 1);
  }

  private synchronized void add(String name, long number) {
    String counted = counts.containsKey(name) || counts.size() < MOST && name.length() <= LONGEST ? name : OTHERS;
    counts.merge(counted, number, Long::sum);
  }

  @Override public void merge(AccumulatorV2<String, Map<String, Long>> other) {
    other.value().forEach(this::add);
  }

  @Override public synchronized Map<String, Long> value() {
    return Map.copyOf(counts);
  }

  /** Returns the counts since this was last called. */
  synchronized Map<String, Long> take() {
    Map<String, Long> taken = Map.copyOf(counts);
    counts.clear();
    return taken;
  }
}
