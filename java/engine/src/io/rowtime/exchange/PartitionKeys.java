package io.rowtime.exchange;

import java.io.Serializable;

/** The keys of a query's shuffle partitions, as a task needs them: it reads their number when it first asks for a key. */
public final class PartitionKeys implements Serializable {
  private static final long serialVersionUID = 1L;

  private transient int[] keys;

  /** Returns the key of the partition of rows with this hash. */
  public int of(int hash) {
    if (keys == null) {
      keys = Partitions.keys(Partitions.count());
    }
    return keys[Math.floorMod(hash, keys.length)];
  }
}
