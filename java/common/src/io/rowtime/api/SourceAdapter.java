package io.rowtime.api;

import java.util.Iterator;

/**
 * A source of rows and rowtime bounds, for foreign streams and foreign tables.
 *
 * <p>A position is a text that the adapter defines, such as a line number or a JSON object; it lies between two
 * elements. The positions of a query are in its checkpoint: after a restart, the query continues from the last one.
 *
 * <p>The elements between two positions must be the same, in the same order, whenever they are read: after a crash, a
 * query reads the elements of its last micro-batch again. An adapter whose source cannot be read again must keep what
 * it has received in the {@code folder} of its context until {@link #commit}.
 *
 * <p>One instance on the driver returns the positions and lives as long as the query. Each micro-batch is read by
 * another instance, in a task that may run on another machine; it is closed when its elements have been read.
 */
public interface SourceAdapter extends Adapter {
  /**
   * Returns the position at which a new query starts.
   *
   * @param earliest true to read all elements that exist, false to read only future ones; true for a foreign table
   */
  String initialPosition(boolean earliest) throws Exception;

  /**
   * Returns the position up to which a query can read: {@code from} if there is nothing new. The adapter may return an
   * earlier position than the last one, so that a micro-batch does not become too large; the next micro-batch continues
   * there. Must not block. A foreign table is read up to the first returned position.
   */
  String latestPosition(String from) throws Exception;

  /**
   * Returns the elements between two positions, in order. The times of rows need not ascend.
   *
   * @param from the position of the first element, from {@link #initialPosition} or {@link #latestPosition}
   * @param to a later position
   */
  Iterator<StreamElement> read(String from, String to) throws Exception;

  /** Called when the query will not read elements before a position again. */
  default void commit(String position) throws Exception {}
}
