package io.rowtime.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A pool of connections to one database in this process. It opens as many connections as are in use at once. */
final class ConnectionPool {
  private final Database database;
  private final Deque<Idle> idle = new ArrayDeque<>();

  private record Idle(Connection connection, long since) {}

  ConnectionPool(Database database) {
    this.database = database;
  }

  /** Returns a connection for exclusive use until it is given back. */
  Connection take() throws SQLException {
    Idle found;
    synchronized (idle) {
      found = idle.pollFirst();
    }
    return found != null ? found.connection() : database.connect();
  }

  void giveBack(Connection connection) {
    synchronized (idle) {
      idle.addFirst(new Idle(connection, System.nanoTime()));
    }
  }

  /** Closes a broken connection without waiting for an answer. */
  static void drop(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException | RuntimeException | AbstractMethodError e) {
      close(connection);
    }
  }

  /** Closes the connections that have been idle for at least that long. */
  void closeIdle(long nanos) {
    List<Connection> old = new ArrayList<>();
    synchronized (idle) {
      while (!idle.isEmpty() && System.nanoTime() - idle.peekLast().since() >= nanos) {
        old.add(idle.pollLast().connection());
      }
    }
    old.forEach(ConnectionPool::close);
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      // The connection is discarded either way.
    }
  }
}
