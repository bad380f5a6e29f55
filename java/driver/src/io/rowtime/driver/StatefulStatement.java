package io.rowtime.driver;

import java.sql.SQLException;
import java.sql.Timestamp;

/**
 * A statement of the driver, which implements the methods of {@link StreamingStatement} with its {@link StreamState}.
 */
interface StatefulStatement extends StreamingStatement {
  StreamState state();

  @Override default long getStatementId() throws SQLException {
    return state().open().statementId();
  }

  @Override default long getQueryTimeoutMillis() throws SQLException {
    return state().open().timeout();
  }

  @Override default void setQueryTimeoutMillis(long millis) throws SQLException {
    state().open().timeout(millis);
  }

  @Override default Timestamp getRowtimeBound() throws SQLException {
    return state().open().bound();
  }

  @Override default long getRowtimeBoundMillis() throws SQLException {
    return state().open().boundMillis();
  }
}
