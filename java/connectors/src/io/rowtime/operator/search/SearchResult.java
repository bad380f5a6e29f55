package io.rowtime.operator.search;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The result of SEARCH_KEY, read by Python.
 *
 * @param rows the columns of the input rows, followed by those that are found
 */
public record SearchResult(Dataset<Row> rows, SearchMetrics metrics) {
  /** Returns the counts so far, see {@link SearchMetrics#counts}. */
  public long[] counts() {
    return metrics.counts();
  }
}
