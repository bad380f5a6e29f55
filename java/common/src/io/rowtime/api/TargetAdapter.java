package io.rowtime.api;

import java.time.Instant;
import java.util.Iterator;
import java.util.OptionalLong;

/**
 * A target of rows and rowtime bounds: foreign streams and tables to which INSERT and pumps write. Each call of {@link
 * #write} and {@link #bound} uses an instance of its own.
 */
public interface TargetAdapter extends Adapter {
  /**
   * Writes rows. They must be durable when the method returns.
   *
   * @param rows the rows in the order of the query; each stays valid after the next one is taken
   * @param batch the micro-batch number of the writer that the context names. Numbers ascend, also across restarts.
   *     After a crash the same rows are written again with the same number: write them only once. Empty for an INSERT
   */
  void write(Iterator<InputRow> rows, OptionalLong batch) throws Exception;

  /**
   * Returns the number of the last micro-batch that the target has of the writer that the context names; empty if it has
   * none. Micro-batches without rows need not count. A pump then refuses to continue from a checkpoint, or into a target,
   * that was restored from an older backup. Without this method rowtime cannot know, and warns.
   */
  default OptionalLong lastBatch() throws Exception {
    return OptionalLong.empty();
  }

  /** Called when the bound of the query that writes has advanced: no later row is earlier than {@code time}. */
  default void bound(Instant time) throws Exception {}
}
