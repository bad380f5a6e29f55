package io.rowtime.state;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;
import scala.Option;

/**
 * The shuffle partitions of a streaming query, and the keys of operators that have one key for each of them.
 *
 * <p>Spark decides the number when a query first starts and keeps it in the query's checkpoint. Keys are made of that number
 * and of nothing else, and only while a micro-batch runs. So an operator finds its state again on any number of cores and
 * executors.
 */
public final class Partitions {
  /** Spark's seed for the hash by which it distributes rows. */
  private static final int SEED = 42;

  private Partitions() {}

  /** The number of partitions of the query that this thread plans, or whose task it runs. */
  public static int count() {
    SQLConf settings = SQLConf.get();
    // What the checkpoint says; the other setting may have changed since.
    Option<Object> kept = settings.getConf(SQLConf.STATEFUL_SHUFFLE_PARTITIONS_INTERNAL());
    return kept.isDefined() ? (Integer) kept.get() : settings.numShufflePartitions();
  }

  /** One key for each partition: small numbers hash together more often than not. */
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

  /** The key of the partition that rows with this INTEGER {@code hash} belong to. */
  public static Column key(Column hash) {
    return ExpressionUtils.column(new PartitionKey(List.of(ExpressionUtils.expression(hash))));
  }

  /** The hashes of which there is one for each partition, as an ARRAY of INTEGER: 0, 1, … */
  public static Column numbers() {
    return ExpressionUtils.column(new PartitionNumbers());
  }

  /** The error of state that was made for another number of partitions than the query runs with. */
  public static IllegalStateException unfit(int made, int count) {
    // python/rowtime/runtime/faults.py knows the message.
    return new IllegalStateException("The state has " + made + " partitions, but the query runs with " + count);
  }
}
