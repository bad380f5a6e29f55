package io.rowtime.api;

import java.util.Iterator;

/**
 * A source of rows and rowtime bounds, for foreign streams and foreign tables.
 *
 * <p>A position is a text that the adapter defines, such as a number of a line or a JSON object; it lies between two
 * elements. The positions of a query are in its checkpoint: after a restart, the query continues from the last one.
 *
 * <p>The elements between two positions must be the same, in the same order, whenever they are read: after a crash, a query
 * reads those of its last micro-batch again. A source that cannot be read again keeps what it has received in the {@code
 * folder} of its context until {@link #commit}.
 *
 * <p>One instance on the driver gives the positions and lives as long as the query. Each micro-batch is read by an instance
 * of its own, in a task that may run on another machine; it is closed when its elements have been read.
 */
public interface SourceAdapter extends Adapter {
  /**
   * Where a new query begins.
   *
   * @param earliest whether it wants all that there is, and not only what comes from now on; true for a foreign table
   */
  String initialPosition(boolean earliest) throws Exception;

  /**
   * How far a query can read: {@code from} if there is nothing new. It need not be all that there is, so that a micro-batch
   * does not become too large: the next one continues there. It must not block. A foreign table is read up to the first
   * answer.
   */
  String latestPosition(String from) throws Exception;

  /**
   * The elements between two positions, in order. The times of rows need not ascend.
   *
   * @param from the position of the first element, from {@link #initialPosition} or {@link #latestPosition}
   * @param to a later position
   */
  Iterator<StreamElement> read(String from, String to) throws Exception;

  /** The query will not ask again for elements before a position. */
  default void commit(String position) throws Exception {}
}
