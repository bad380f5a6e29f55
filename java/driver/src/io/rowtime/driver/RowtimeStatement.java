package io.rowtime.driver;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;

/** A statement of the driver. */
final class RowtimeStatement extends AvaticaStatement implements StatefulStatement {
  private final StreamState state;

  RowtimeStatement(RowtimeConnection connection, Meta.StatementHandle h, int type, int concurrency, int holdability) {
    super(connection, h, type, concurrency, holdability);
    state = new StreamState(connection, this, cancelFlag);
  }

  @Override public StreamState state() {
    return state;
  }

  @Override public boolean execute(String sql) throws SQLException {
    state.begin();
    return ServerErrors.call(() -> super.execute(sql));
  }

  @Override public ResultSet executeQuery(String sql) throws SQLException {
    state.begin();
    return ServerErrors.call(() -> super.executeQuery(sql));
  }

  @Override public long executeLargeUpdate(String sql) throws SQLException {
    state.begin();
    return ServerErrors.call(() -> super.executeLargeUpdate(sql));
  }

  @Override public int[] executeBatch() throws SQLException {
    return ServerErrors.call(super::executeBatch);
  }

  @Override public synchronized void close() throws SQLException {
    ServerErrors.run(super::close);
  }

  // Avatica's method is synchronized, so it would wait for the statement that it should cancel.
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  @Override public void cancel() throws SQLException {
    checkOpen();
    state.cancel();
  }

  @Override public void setEscapeProcessing(boolean enable) throws SQLException {
    checkOpen();
  }

  @Override public int getQueryTimeout() throws SQLException {
    checkOpen();
    return state.timeoutSeconds();
  }

  @Override public void setQueryTimeout(int seconds) throws SQLException {
    setQueryTimeoutMillis(seconds * 1000L);
  }
}
