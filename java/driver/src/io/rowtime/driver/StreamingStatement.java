package io.rowtime.driver;

import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;

/** A statement that may return the rows of a stream. Every statement of the driver is one. */
public interface StreamingStatement extends Statement {
  /** Returns the number of the statement at the server, which is unique in its connection. */
  long getStatementId() throws SQLException;

  /** Returns how long {@code next()} of a result waits for a row, in milliseconds; 0 for no limit. */
  long getQueryTimeoutMillis() throws SQLException;

  /**
   * Sets how long {@code next()} of a result waits for a row; after that it throws a {@link TimeoutException}, and may be called
   * again.
   *
   * @param millis 0 for no limit
   */
  void setQueryTimeoutMillis(long millis) throws SQLException;

  /**
   * Returns a bound of the rows of the result that have not been read: none of them has an earlier ROWTIME.
   *
   * @return null if there is no bound yet
   */
  Timestamp getRowtimeBound() throws SQLException;

  /** Returns {@link #getRowtimeBound} in milliseconds since 1970; {@code Long.MIN_VALUE} if there is no bound yet. */
  long getRowtimeBoundMillis() throws SQLException;
}
