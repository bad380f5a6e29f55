package io.rowtime.api;

import java.time.Instant;
import java.util.Iterator;
import java.util.OptionalLong;

/**
 * A target of rows and rowtime bounds: foreign streams and tables that are written by INSERT and by pumps. Each call of
 * {@link #write} and {@link #bound} is made on an instance of its own.
 */
public interface TargetAdapter extends Adapter {
  /**
   * Writes rows. They are to be durable when the method returns.
   *
   * @param rows in the order of the query; each is valid after the next one too
   * @param batch number of the micro-batch of the writer that the context names. Numbers ascend, also after restarts. After a
   *     crash the same rows come again with the same number: write them once. Empty for an INSERT
   */
  void write(Iterator<InputRow> rows, OptionalLong batch) throws Exception;

  /** The bound of the query that writes has advanced: no later row is earlier than {@code time}. */
  default void bound(Instant time) throws Exception {}
}
