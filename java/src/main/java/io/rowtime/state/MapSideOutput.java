package io.rowtime.state;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.catalyst.InternalRow;

/** Returns the results of the rows in a task's {@link MapSideBuffer}, and the rows that passed through. */
public final class MapSideOutput implements MapPartitionsFunction<InternalRow, InternalRow> {
  private static final long serialVersionUID = 1L;

  private final String id;

  /** @param id the id of the {@link MapSideBuffer} */
  public MapSideOutput(String id) {
    this.id = id;
  }

  @Override public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
    return new Iterator<>() {
      private MapSideBuffer buffer;
      private Iterator<InternalRow> released = Collections.emptyIterator();
      private InternalRow next;

      @Override public boolean hasNext() {
        if (next == null) {
          next = released.hasNext() ? released.next() : more();
        }
        return next != null;
      }

      /** Returns the first of further rows, or null if there are none. */
      private InternalRow more() {
        // Reading a row adds earlier rows to the buffer; the row that is returned means that the buffer is full, or it
        // passes through.
        InternalRow row = rows.hasNext() ? rows.next() : null;
        if (buffer == null) {
          buffer = MapSideBuffer.ofTask(id);
        }
        if (buffer == null || row != null && !buffer.isFull()) {
          return row;
        }
        released = buffer.release();
        return released.hasNext() ? released.next() : null;
      }

      @Override public InternalRow next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        InternalRow found = next;
        next = null;
        return found;
      }
    };
  }
}
