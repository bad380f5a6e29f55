package io.rowtime.driver;

import java.io.InputStream;
import java.io.Reader;
import java.sql.NClob;
import java.sql.ResultSet;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Timestamp;
import java.util.Calendar;
import org.apache.calcite.avatica.AvaticaPreparedStatement;
import org.apache.calcite.avatica.Meta;

/** A prepared statement of the driver. */
final class RowtimePreparedStatement extends AvaticaPreparedStatement implements StreamingPreparedStatement, StatefulStatement {
  private final StreamState state;

  RowtimePreparedStatement(RowtimeConnection connection, Meta.StatementHandle h, Meta.Signature signature, int type, int concurrency,
      int holdability) throws SQLException {
    super(connection, h, signature, type, concurrency, holdability);
    state = new StreamState(connection, this, cancelFlag);
  }

  @Override public StreamState state() {
    return state;
  }

  @Override public boolean execute() throws SQLException {
    state.begin();
    return ServerErrors.call(super::execute);
  }

  @Override public ResultSet executeQuery() throws SQLException {
    state.begin();
    return ServerErrors.call(super::executeQuery);
  }

  @Override public long executeLargeUpdate() throws SQLException {
    state.begin();
    return ServerErrors.call(super::executeLargeUpdate);
  }

  @Override public int[] executeBatch() throws SQLException {
    return ServerErrors.call(super::executeBatch);
  }

  @Override public synchronized void close() throws SQLException {
    ServerErrors.run(super::close);
  }

  @Override public void setRowtimeBound(Timestamp bound) throws SQLException {
    setRowtimeBound(bound, null, false);
  }

  @Override public void setRowtimeBound(Timestamp bound, Calendar calendar, boolean strict) throws SQLException {
    checkOpen();
    if (bound == null) {
      throw new SQLException("A rowtime bound is a time, not null", "22004");
    }
    // Like setTimestamp: the fields of the instant in the calendar's zone are interpreted in UTC.
    long millis = bound.getTime() + (calendar == null ? 0 : calendar.getTimeZone().getOffset(bound.getTime()));
    ((RowtimeConnection) connection).ask("setBound", getId(), request -> request.put("bound", millis).put("strict", strict));
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

  @Override public void setRowId(int index, RowId x) throws SQLException {
    getSite(index).setRowId(x);
  }

  @Override public void setNString(int index, String x) throws SQLException {
    getSite(index).setNString(x);
  }

  @Override public void setNCharacterStream(int index, Reader x, long length) throws SQLException {
    getSite(index).setNCharacterStream(x, length);
  }

  @Override public void setNClob(int index, NClob x) throws SQLException {
    getSite(index).setNClob(x);
  }

  @Override public void setClob(int index, Reader x, long length) throws SQLException {
    getSite(index).setClob(x, length);
  }

  @Override public void setBlob(int index, InputStream x, long length) throws SQLException {
    getSite(index).setBlob(x, length);
  }

  @Override public void setNClob(int index, Reader x, long length) throws SQLException {
    getSite(index).setNClob(x, length);
  }

  @Override public void setSQLXML(int index, SQLXML x) throws SQLException {
    getSite(index).setSQLXML(x);
  }

  @Override public void setAsciiStream(int index, InputStream x, long length) throws SQLException {
    getSite(index).setAsciiStream(x, length);
  }

  @Override public void setBinaryStream(int index, InputStream x, long length) throws SQLException {
    getSite(index).setBinaryStream(x, length);
  }

  @Override public void setCharacterStream(int index, Reader x, long length) throws SQLException {
    getSite(index).setCharacterStream(x, length);
  }

  @Override public void setAsciiStream(int index, InputStream x) throws SQLException {
    getSite(index).setAsciiStream(x);
  }

  @Override public void setBinaryStream(int index, InputStream x) throws SQLException {
    getSite(index).setBinaryStream(x);
  }

  @Override public void setCharacterStream(int index, Reader x) throws SQLException {
    getSite(index).setCharacterStream(x);
  }

  @Override public void setNCharacterStream(int index, Reader x) throws SQLException {
    getSite(index).setNCharacterStream(x);
  }

  @Override public void setClob(int index, Reader x) throws SQLException {
    getSite(index).setClob(x);
  }

  @Override public void setBlob(int index, InputStream x) throws SQLException {
    getSite(index).setBlob(x);
  }

  @Override public void setNClob(int index, Reader x) throws SQLException {
    getSite(index).setNClob(x);
  }
}
