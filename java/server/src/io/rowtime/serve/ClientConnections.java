package io.rowtime.serve;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** The open connections. A connection that has not been used for a while is closed. */
final class ClientConnections {
  private final Map<String, ClientConnection> open = new ConcurrentHashMap<>();
  private final int most;
  private final long idleNanos;
  private final Consumer<String> onClose;

  ClientConnections(int most, long idleMillis, Consumer<String> onClose) {
    this.most = most;
    this.idleNanos = idleMillis * 1_000_000;
    this.onClose = onClose;
  }

  synchronized void open(String id) {
    if (open.size() >= most) {
      closeIdle();
    }
    if (open.size() >= most) {
      throw ServeException.of("RT0643", "The server has " + most + " open connections", "Close connections, or try again later");
    }
    // Clients choose the id; a client that knows another's id must not get access to its statements.
    if (id == null || id.isEmpty() || id.length() > 200 || open.putIfAbsent(id, new ClientConnection(id)) != null) {
      throw ServeException.of("RT0640", "The id of the connection is in use, or is not an id", "Connect again with another id");
    }
  }

  boolean isFull() {
    return open.size() >= most;
  }

  /** Runs an action on a connection, which stays open during that. */
  <T> T with(String id, Function<ClientConnection, T> action) {
    ClientConnection connection = id == null ? null : open.get(id);
    if (connection == null) {
      throw ServeException.noConnection();
    }
    connection.begin();
    try {
      return action.apply(connection);
    } finally {
      connection.end();
    }
  }

  void close(String id) {
    if (id != null && open.remove(id) != null) {
      onClose.accept(id);
    }
  }

  void closeIdle() {
    open.values().stream().filter(connection -> connection.isIdle(idleNanos)).map(connection -> connection.id).toList()
        .forEach(this::close);
  }

  void closeAll() {
    List.copyOf(open.keySet()).forEach(this::close);
  }
}
