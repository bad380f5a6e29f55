package io.rowtime.spark;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/** The questions for offsets before a micro-batch: Spark asks each source of a query once, before it asks any of them again. */
public final class Round {
  private final Set<Object> asked = Collections.newSetFromMap(new WeakHashMap<>());

  /** Returns whether a source is the first one to be asked before a micro-batch. */
  public boolean beginsWith(Object source) {
    boolean begins = asked.isEmpty() || asked.contains(source);
    if (begins) {
      asked.clear();
    }
    asked.add(source);
    return begins;
  }
}
