package io.rowtime.lookup;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** What a relation that a stream meets has in each micro-batch; implemented where the catalog is known. */
public interface Snapshots {
  /**
   * Names what the relation has in a micro-batch: it has the same rows wherever this is the same.
   *
   * @param query Spark's id of the query that asks; empty outside of any
   * @param batch the number of the micro-batch, the same again where Spark repeats one; -1 outside of any
   * @return null if that has failed
   */
  String version(String query, long batch);

  /** The rows that it has then, in the columns of the {@link LookupRelation}; null if reading them has failed. */
  Dataset<Row> rows(String query, long batch);

  /** Why the last call has failed: the code of a diagnostic, a space, its message. */
  String failure();
}
