package io.rowtime.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Connections to one database that are used again, in this process. As many are open as were in use at once. */
final class Connections {
  private final Database database;
  private final Deque<Idle> idle = new ArrayDeque<>();

  private record Idle(Connection connection, long since) {}

  Connections(Database database) {
    this.database = database;
  }

  /** One that nobody else uses until it is given back. */
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

  /** Closes one that no statement can be sent over any more, and does not wait for an answer. */
  static void drop(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException | RuntimeException | AbstractMethodError e) {
      close(connection);
    }
  }

  /** Closes those that nobody has used for so long. */
  void closeIdle(long nanos) {
    List<Connection> old = new ArrayList<>();
    synchronized (idle) {
      while (!idle.isEmpty() && System.nanoTime() - idle.peekLast().since() >= nanos) {
        old.add(idle.pollLast().connection());
      }
    }
    old.forEach(Connections::close);
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      // It is of no use any more either way.
    }
  }
}
