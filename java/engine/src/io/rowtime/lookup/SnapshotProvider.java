package io.rowtime.lookup;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Provides the contents of a relation that is joined with a stream, for each micro-batch; implemented in Python, which
 * knows the catalog.
 */
public interface SnapshotProvider {
  /**
   * Returns the version of the relation in a micro-batch: equal versions have the same rows.
   *
   * @param query Spark's id of the query that asks; empty if there is none
   * @param batch the number of the micro-batch, which is the same if Spark repeats the batch; -1 if there is none
   * @return null on failure
   */
  String version(String query, long batch);

  /** Returns the rows of that version, with the columns of the {@link LookupRelation}; null if reading them failed. */
  Dataset<Row> rows(String query, long batch);

  /** Returns why the last call failed: the code of a diagnostic, a space, and its message. */
  String failure();
}
