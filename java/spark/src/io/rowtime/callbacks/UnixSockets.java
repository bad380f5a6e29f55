package io.rowtime.callbacks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.SocketFactory;

/** Connects to one Unix domain socket, whatever address is asked for. */
final class UnixSockets extends SocketFactory {
  private final Path path;

  UnixSockets(Path path) {
    this.path = path;
  }

  @Override public Socket createSocket() throws IOException {
    return new UnixSocket(path);
  }

  @Override public Socket createSocket(String host, int port) throws IOException {
    return createSocket();
  }

  @Override public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
    return createSocket();
  }

  @Override public Socket createSocket(InetAddress host, int port) throws IOException {
    return createSocket();
  }

  @Override public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
    return createSocket();
  }
}
