package io.rowtime.operator.search;

import java.io.Serializable;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;

/**
 * The metrics of a search by key, updated on the driver when tasks end.
 *
 * @param keys distinct keys of micro-batches
 * @param cacheHits keys that were found in an executor's cache
 * @param hits keys that had rows
 * @param misses keys that had none
 * @param lookups keys that were sent to the database, each as often as it was sent
 * @param retries keys that were sent again, because they had no row or the database did not answer
 * @param statements statements that were sent
 * @param nanos the total time of the statements
 */
public record SearchMetrics(LongAccumulator keys, LongAccumulator cacheHits, LongAccumulator hits, LongAccumulator misses,
    LongAccumulator lookups, LongAccumulator retries, LongAccumulator statements, LongAccumulator nanos) implements Serializable {

  static SearchMetrics of(SparkContext spark) {
    return new SearchMetrics(spark.longAccumulator(), spark.longAccumulator(), spark.longAccumulator(), spark.longAccumulator(),
        spark.longAccumulator(), spark.longAccumulator(), spark.longAccumulator(), spark.longAccumulator());
  }

  /** Returns all counts, in the order of the components. */
  public long[] counts() {
    return new long[] {keys.sum(), cacheHits.sum(), hits.sum(), misses.sum(), lookups.sum(), retries.sum(), statements.sum(), nanos.sum()};
  }
}
