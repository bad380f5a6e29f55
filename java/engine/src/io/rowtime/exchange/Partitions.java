package io.rowtime.exchange;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;
import scala.Option;

/**
 * The shuffle partitions of a streaming query, and the keys of operators that have one key per partition.
 *
 * <p>Spark chooses the number when a query first starts, and stores it in the query's checkpoint. Keys depend on that
 * number only, and are computed while a micro-batch runs. An operator therefore finds its state again on any number of
 * cores and executors.
 */
public final class Partitions {
  /** Spark's seed of the hash by which it distributes rows. */
  private static final int SEED = 42;

  private Partitions() {}

  /** Returns the number of partitions of the query that this thread plans, or whose task it runs. */
  public static int count() {
    SQLConf settings = SQLConf.get();
    // The value in the checkpoint; the public setting may have changed since.
    Option<Object> kept = settings.getConf(SQLConf.STATEFUL_SHUFFLE_PARTITIONS_INTERNAL());
    return kept.isDefined() ? (Integer) kept.get() : settings.numShufflePartitions();
  }

  /**
   * Returns one key for each partition. Small consecutive numbers often hash to the same partition, so they cannot be
   * used as keys.
   */
  public static int[] keys(int count) {
    int[] keys = new int[count];
    Arrays.fill(keys, -1);
    int missing = count;
    for (int key = 0; missing > 0; key++) {
      int partition = Math.floorMod(Murmur3_x86_32.hashInt(key, SEED), count);
      if (keys[partition] < 0) {
        keys[partition] = key;
        missing--;
      }
    }
    return keys;
  }

  /** Returns the hash that Spark computes for a BINARY value with the bytes of a row. */
  public static int hash(UnsafeRow row) {
    return Murmur3_x86_32.hashUnsafeWords(row.getBaseObject(), row.getBaseOffset(), row.getSizeInBytes(), SEED);
  }

  /** Returns the key of the partition of rows with this INTEGER {@code hash}. */
  public static Expression key(Expression hash) {
    return new PartitionKey(List.of(hash));
  }

  /** Returns one hash for each partition, as an ARRAY of INTEGER: 0, 1, … */
  public static Expression numbers() {
    return new PartitionNumbers();
  }

  /** Returns the error for state that was written with another number of partitions than the query has. */
  public static IllegalStateException wrongCount(int made, int count) {
    // python/rowtime/runtime/faults.py recognizes the message.
    return new IllegalStateException("The state has " + made + " partitions, but the query runs with " + count);
  }
}
