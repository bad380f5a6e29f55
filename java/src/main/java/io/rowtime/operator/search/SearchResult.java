package io.rowtime.operator.search;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * What SEARCH_KEY gives, for Python to read.
 *
 * @param rows the columns of the rows that ask, and then those that are found
 */
public record SearchResult(Dataset<Row> rows, SearchMetrics metrics) {
  /** What has been done so far, see {@link SearchMetrics#counts}. */
  public long[] counts() {
    return metrics.counts();
  }
}
