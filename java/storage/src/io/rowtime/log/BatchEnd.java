package io.rowtime.log;

import io.rowtime.spark.Round;
import io.rowtime.spark.SharedByScans;
import java.util.function.LongUnaryOperator;
import org.apache.spark.sql.SparkSession;

/**
 * The version up to which all scans of one log in one query read in a micro-batch. Without it, a commit that is made between the
 * questions of two scans would be read by the second one only, and a result of both would be one that the stream has never had.
 */
final class BatchEnd {
  private static final SharedByScans<BatchEnd> KNOWN = new SharedByScans<>(BatchEnd::new);

  private final Round round = new Round();
  private long end = Long.MAX_VALUE;

  /** Must be called on the query's thread. */
  static BatchEnd of(SparkSession spark, String log) {
    return KNOWN.of(spark, log);
  }

  /**
   * Returns the first version that a scan does not read in the next micro-batch.
   *
   * @param from the first version that it reads; it has got all before
   * @param most a version at which it ends in any case
   * @param existing returns the first version from {@code from} on that does not exist, at most the given one
   */
  synchronized long next(Object scan, long from, long most, LongUnaryOperator existing) {
    if (round.beginsWith(scan)) {
      end = Long.MAX_VALUE;
    }
    long limit = Math.min(most, end);
    if (limit <= from) {
      return from;
    }
    long found = existing.applyAsLong(limit);
    if (found < limit) {
      // The log has no more: other scans do not go further, whatever is committed by then.
      end = found;
    }
    return found;
  }
}
