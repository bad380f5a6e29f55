package io.rowtime.socket;

import io.rowtime.files.BoundedLines;
import io.rowtime.limits.Limits;
import io.rowtime.limits.Texts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;

/** A connection whose lines a thread reads into a bounded buffer. A lost connection is reopened. */
final class Connection implements AutoCloseable {
  private static final int CONNECT_TIMEOUT = 5_000;
  private static final long RETRY_DELAY = 1_000;
  private static final int BUFFER = 100_000;
  private static final int BUFFER_BYTES = 4 * Limits.RECORD_BYTES;

  private final InetSocketAddress address;
  private final BlockingQueue<Line> lines = new ArrayBlockingQueue<>(BUFFER);
  private final Semaphore room = new Semaphore(BUFFER_BYTES);
  private final Thread reader;
  private volatile boolean closed;
  private volatile Socket socket;

  /** Throws IOException if nobody answers. */
  Connection(String host, int port) throws IOException {
    address = new InetSocketAddress(host, port);
    connect();
    reader = new Thread(this::run, "rowtime socket " + host + ":" + port);
    reader.setDaemon(true);
    reader.start();
  }

  /** Removes and returns the lines that have arrived, in order, at most {@code most}. */
  List<Line> take(int most) {
    List<Line> taken = new ArrayList<>();
    lines.drainTo(taken, most);
    taken.forEach(line -> room.release(line.bytes().length));
    return taken;
  }

  @Override public void close() {
    closed = true;
    reader.interrupt();
    hangUp();
  }

  private void connect() throws IOException {
    Socket made = new Socket();
    try {
      // Resolve the host name anew each time.
      made.connect(new InetSocketAddress(address.getHostString(), address.getPort()), CONNECT_TIMEOUT);
    } catch (IOException e) {
      made.close();
      throw e;
    }
    socket = made;
  }

  private void run() {
    while (!closed) {
      try {
        if (socket == null) {
          connect();
        }
        read();
      } catch (IOException e) {
        // Nobody is listening, or the connection was lost; the source is idle until somebody is.
      } catch (InterruptedException e) {
        break;
      }
      hangUp();
      try {
        Thread.sleep(RETRY_DELAY);
      } catch (InterruptedException e) {
        break;
      }
    }
    hangUp();
  }

  private void read() throws IOException, InterruptedException {
    BoundedLines in = new BoundedLines(socket.getInputStream(), 0);
    while (in.next()) {
      byte[] line = in.line();
      room.acquire(line.length);
      lines.put(new Line(line, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()),
          in.isCut() ? Texts.tooLong(in.size()) : null));
    }
  }

  private void hangUp() {
    Socket open = socket;
    socket = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // The socket is discarded either way.
      }
    }
  }
}
