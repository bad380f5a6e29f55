package io.rowtime.callbacks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * A connected Unix domain socket for a library that expects a {@link Socket}; the JDK has channels for them only. One
 * thread at a time reads.
 */
final class UnixSocket extends Socket {
  private final SocketChannel channel;
  private volatile int timeout;

  UnixSocket(Path path) throws IOException {
    channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.connect(UnixDomainSocketAddress.of(path));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override public InputStream getInputStream() {
    return new In();
  }

  @Override public OutputStream getOutputStream() {
    return new Out();
  }

  @Override public synchronized void setSoTimeout(int millis) {
    timeout = millis;
  }

  @Override public synchronized int getSoTimeout() {
    return timeout;
  }

  /** Does nothing: there is no network that could delay the end. */
  @Override public void setSoLinger(boolean on, int seconds) {
  }

  @Override public boolean isConnected() {
    return true;
  }

  @Override public boolean isClosed() {
    return !channel.isOpen();
  }

  @Override public synchronized void close() throws IOException {
    channel.close();
  }

  private int read(ByteBuffer into) throws IOException {
    int limit = timeout;
    if (limit == 0) {
      return channel.read(into);
    }
    channel.configureBlocking(false);
    try (Selector selector = Selector.open()) {
      channel.register(selector, SelectionKey.OP_READ);
      if (selector.select(limit) == 0) {
        throw new SocketTimeoutException("Nothing has arrived in " + limit + " ms");
      }
      return channel.read(into);
    } finally {
      // The selector is closed, so the channel has no key any more.
      if (channel.isOpen()) {
        channel.configureBlocking(true);
      }
    }
  }

  private final class In extends InputStream {
    @Override public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override public int read(byte[] bytes, int offset, int length) throws IOException {
      return length == 0 ? 0 : UnixSocket.this.read(ByteBuffer.wrap(bytes, offset, length));
    }

    @Override public void close() throws IOException {
      UnixSocket.this.close();
    }
  }

  private final class Out extends OutputStream {
    @Override public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override public void write(byte[] bytes, int offset, int length) throws IOException {
      ByteBuffer rest = ByteBuffer.wrap(bytes, offset, length);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    }

    @Override public void close() throws IOException {
      UnixSocket.this.close();
    }
  }
}
