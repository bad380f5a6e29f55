package io.rowtime.callbacks;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import py4j.CallbackClient;
import py4j.ClientServerConnection;
import py4j.Gateway;
import py4j.GatewayServer;
import py4j.PythonClient;
import py4j.Py4JPythonClient;

/**
 * Directs the calls of this JVM to the callback server of its Python process.
 *
 * <p>py4j has a method for that, but it forgets the token: the client that it makes does not authenticate.
 */
public final class Callbacks {
  private static Py4JPythonClient directed;
  private static String directedTo;

  private Callbacks() {}

  /**
   * Directs all further calls to a server that asks for a token. Does nothing if they go there already. A JVM has one
   * such server: the calls of a JVM that several processes share go to the process that has asked last.
   *
   * @param server py4j's server in this JVM
   * @param path the Unix domain socket of the Python process; empty if it listens at a port
   * @param port the port at the loopback address; 0 with a path
   * @param token what the Python process expects at the beginning of each connection
   * @return the local ports of the connections on which calls went before; calls that began on them continue
   */
  public static synchronized List<Integer> direct(GatewayServer server, String path, int port, String token)
      throws ReflectiveOperationException, IOException {
    Gateway gateway = server.getGateway();
    Py4JPythonClient before = gateway.getCallbackClient();
    if (before == directed && token.equals(directedTo)) {
      return List.of();
    }
    SocketFactory sockets = path.isEmpty() ? SocketFactory.getDefault() : new UnixSockets(Path.of(path));
    InetAddress loopback = InetAddress.getLoopbackAddress();
    Py4JPythonClient client = before instanceof PythonClient
        ? new ThreadClient(gateway, port, loopback, sockets, server, token)
        : new CallbackClient(port, loopback, token, CallbackClient.DEFAULT_MIN_CONNECTION_TIME, TimeUnit.SECONDS, sockets, true, 0);
    List<Integer> ports = localPorts(before);
    Field field = Gateway.class.getDeclaredField("cbClient");
    field.setAccessible(true);
    field.set(gateway, client);
    directed = client;
    directedTo = token;
    if (!path.isEmpty()) {
      // In reverse order, when the JVM exits: the Python process may have been killed.
      Path socket = Path.of(path);
      socket.getParent().toFile().deleteOnExit();
      socket.toFile().deleteOnExit();
    }
    return ports;
  }

  /**
   * Returns what closes the connection on which the calling thread has called Python; does nothing if it has not. py4j
   * makes a connection for each thread, and keeps it when the thread has ended.
   */
  public static synchronized Runnable connectionOfThread() {
    return directed instanceof ThreadClient client ? client.closing() : () -> {};
  }

  private static List<Integer> localPorts(Py4JPythonClient client) throws ReflectiveOperationException {
    List<Integer> ports = new ArrayList<>();
    Field connections = CallbackClient.class.getDeclaredField("connections");
    Field socket = ClientServerConnection.class.getDeclaredField("socket");
    connections.setAccessible(true);
    socket.setAccessible(true);
    for (Object connection : List.copyOf((Deque<?>) connections.get(client))) {
      if (connection instanceof ClientServerConnection own && own.isInitiatedFromClient()) {
        ports.add(((Socket) socket.get(own)).getLocalPort());
      }
    }
    return ports;
  }
}
