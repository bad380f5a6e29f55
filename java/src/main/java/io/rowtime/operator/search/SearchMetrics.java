package io.rowtime.operator.search;

import java.io.Serializable;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;

/**
 * What a search by key has done, counted on the driver as tasks end.
 *
 * @param keys distinct keys that micro-batches have asked for
 * @param cacheHits those of them that an executor still knew
 * @param hits those that had rows
 * @param misses those that had none
 * @param lookups keys that were sent to the database, each as often as it was sent
 * @param retries those of them that were sent again, because they had no row or the database did not answer
 * @param statements that were sent
 * @param nanos how long these took together
 */
public record SearchMetrics(LongAccumulator keys, LongAccumulator cacheHits, LongAccumulator hits, LongAccumulator misses,
    LongAccumulator lookups, LongAccumulator retries, LongAccumulator statements, LongAccumulator nanos) implements Serializable {

  static SearchMetrics of(SparkContext spark) {
    return new SearchMetrics(spark.longAccumulator(), spark.longAccumulator(), spark.longAccumulator(), spark.longAccumulator(),
        spark.longAccumulator(), spark.longAccumulator(), spark.longAccumulator(), spark.longAccumulator());
  }

  /** All counts, in the order of the components. */
  public long[] counts() {
    return new long[] {keys.sum(), cacheHits.sum(), hits.sum(), misses.sum(), lookups.sum(), retries.sum(), statements.sum(), nanos.sum()};
  }
}
