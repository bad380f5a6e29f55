package io.rowtime.over;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.catalyst.InternalRow;

/** Gives what the rows of a task have become that {@link Absorb} has taken in, and the rows that it has let through. */
final class Combiner implements MapPartitionsFunction<InternalRow, InternalRow> {
  private static final long serialVersionUID = 1L;

  private final String id;

  /** @param id of the {@link Combining} */
  Combiner(String id) {
    this.id = id;
  }

  @Override public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
    return new Iterator<>() {
      private Iterator<InternalRow> released;
      private InternalRow next;

      @Override public boolean hasNext() {
        while (next == null) {
          if (released != null && released.hasNext()) {
            next = released.next();
          } else if (rows.hasNext()) {
            // While it looks for a row, rows are taken in; the one that comes says that there is no more room, or goes on.
            InternalRow row = rows.next();
            Combining combining = Combining.ofTask(id);
            if (combining.isFull()) {
              released = combining.release();
            } else {
              next = row;
            }
          } else {
            Combining combining = Combining.ofTask(id);
            released = combining == null ? null : combining.release();
            if (released == null || !released.hasNext()) {
              return false;
            }
          }
        }
        return true;
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
