package io.rowtime.driver;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaStatement;

/** The state of a statement besides Avatica's: the time-out, cancellation, and the bound of its rows. */
final class StreamState {
  private final RowtimeConnection connection;
  private final AvaticaStatement statement;
  private final AtomicBoolean cancelled;
  private volatile long timeout;
  private volatile ResultFrames frames;

  StreamState(RowtimeConnection connection, AvaticaStatement statement, AtomicBoolean cancelled) {
    this.connection = connection;
    this.statement = statement;
    this.cancelled = cancelled;
  }

  /** Returns this object, after checking that the statement is not closed. */
  StreamState open() throws SQLException {
    if (statement.isClosed()) {
      throw AvaticaConnection.HELPER.createException("Statement closed");
    }
    return this;
  }

  int statementId() {
    return statement.getId();
  }

  /** Called when the statement is executed again. */
  void begin() {
    cancelled.set(false);
    frames = null;
  }

  void frames(ResultFrames made) {
    frames = made;
  }

  boolean isCancelled() {
    return cancelled.get();
  }

  void cancel() throws SQLException {
    cancelled.set(true);
    connection.ask("cancel", statement.getId(), request -> { });
  }

  long timeout() {
    return timeout;
  }

  int timeoutSeconds() {
    return (int) Math.min(Integer.MAX_VALUE, (timeout + 999) / 1000);
  }

  void timeout(long millis) throws SQLException {
    if (millis < 0) {
      throw new SQLException("A time-out is 0 or more, not " + millis, "HY024");
    }
    timeout = millis;
  }

  long boundMillis() throws SQLException {
    ResultFrames of = frames;
    if (of == null) {
      return Long.MIN_VALUE;
    }
    JsonNode bound = connection.ask("bound", statement.getId(), request -> request.put("offset", of.read())).get("bound");
    return bound.isNull() ? Long.MIN_VALUE : bound.asLong();
  }

  Timestamp bound() throws SQLException {
    long millis = boundMillis();
    return millis == Long.MIN_VALUE ? null : new Timestamp(millis);
  }
}
