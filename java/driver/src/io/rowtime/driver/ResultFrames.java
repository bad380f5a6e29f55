package io.rowtime.driver;

import java.sql.SQLException;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.calcite.avatica.Meta;

/**
 * The rows of a result, fetched as they are read. Avatica's own iterator fetches the next page before it returns the
 * last row of the current one, so the last row of a stream would wait for its successor.
 */
final class ResultFrames implements Iterator<Object> {
  private final RowtimeConnection connection;
  private final Meta.StatementHandle handle;
  private final StreamState state;
  private final int size;
  private Iterator<Object> rows = Collections.emptyIterator();
  private boolean done;
  private volatile long read;

  ResultFrames(RowtimeConnection connection, Meta.StatementHandle handle, StreamState state, int size, Meta.Frame first) {
    this.connection = connection;
    this.handle = handle;
    this.state = state;
    this.size = size;
    if (first != null) {
      rows = first.rows.iterator();
      done = first.done;
    }
  }

  /** Returns the number of rows that have been read. */
  long read() {
    return read;
  }

  @Override public boolean hasNext() {
    long begin = System.nanoTime();
    while (!rows.hasNext() && !done) {
      if (state.isCancelled()) {
        throw new Failure(new SQLException("The statement was cancelled", "HY008"));
      }
      long timeout = state.timeout();
      Meta.Frame frame;
      try {
        frame = connection.fetch(handle, read, size);
      } catch (SQLException e) {
        throw new Failure(state.isCancelled() ? new SQLException("The statement was cancelled", "HY008") : e);
      }
      rows = frame.rows.iterator();
      done = frame.done;
      if (!rows.hasNext() && !done && timeout > 0 && System.nanoTime() - begin >= timeout * 1_000_000) {
        throw new Failure(new TimeoutException());
      }
    }
    return rows.hasNext();
  }

  // One thread reads rows; others only read the count.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  @Override public Object next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    read++;
    return rows.next();
  }

  /** Carries an SQLException through an iterator. */
  static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    Failure(SQLException cause) {
      super(cause.getMessage(), cause);
    }

    @Override public synchronized SQLException getCause() {
      return (SQLException) super.getCause();
    }
  }
}
