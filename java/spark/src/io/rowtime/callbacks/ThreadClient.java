package io.rowtime.callbacks;

import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import py4j.CallbackClient;
import py4j.ClientServerConnection;
import py4j.Gateway;
import py4j.GatewayServer;
import py4j.PythonClient;

/** py4j's client with a connection for each thread, which can be closed when the thread has ended. */
final class ThreadClient extends PythonClient {
  ThreadClient(Gateway gateway, int port, InetAddress address, SocketFactory sockets, GatewayServer server, String token) {
    super(gateway, null, port, address, CallbackClient.DEFAULT_MIN_CONNECTION_TIME, TimeUnit.SECONDS, sockets, server, true, 0,
        token);
  }

  /** Returns what closes the connection of the calling thread. */
  Runnable closing() {
    ClientServerConnection connection = getPerThreadConnection();
    return connection == null || !connection.isInitiatedFromClient() ? () -> {} : () -> close(connection);
  }

  private void close(ClientServerConnection connection) {
    lock.lock();
    try {
      connections.remove(connection);
    } finally {
      lock.unlock();
    }
    connection.shutdown();
  }
}
