package io.rowtime.microbatch;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** What the Python process does with the micro-batches of a query; its methods may fail the query. */
public interface BatchReceiver {
  /** Called before a micro-batch is computed, if its tasks run in other processes. */
  void check();

  /**
   * Takes the rows of a micro-batch.
   *
   * @param file the file with the rows; null if they are in {@code rows}
   */
  void take(long batch, byte[] rows, String file);

  /** Takes a micro-batch as a DataFrame, which computes its rows each time that it is used. */
  void takeFrame(long batch, Dataset<Row> rows);
}
