package io.rowtime.socket;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A connection whose lines a thread takes in, as many as the buffer holds; once it has been lost, it is made anew. */
final class Connection implements AutoCloseable {
  private static final int PATIENCE = 5_000;
  private static final long PAUSE = 1_000;
  private static final int BUFFER = 100_000;

  private final InetSocketAddress address;
  private final BlockingQueue<Line> lines = new ArrayBlockingQueue<>(BUFFER);
  private final Thread reader;
  private volatile boolean closed;
  private volatile Socket socket;

  /** Raises IOException where nobody answers. */
  Connection(String host, int port) throws IOException {
    address = new InetSocketAddress(host, port);
    connect();
    reader = new Thread(this::run, "rowtime socket " + host + ":" + port);
    reader.setDaemon(true);
    reader.start();
  }

  /** Takes the lines that have arrived, in their order; at most so many. */
  List<Line> take(int most) {
    List<Line> taken = new ArrayList<>();
    lines.drainTo(taken, most);
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
      // A name is looked up anew each time.
      made.connect(new InetSocketAddress(address.getHostString(), address.getPort()), PATIENCE);
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
        // Nobody is there, or no longer; the source is quiet until somebody is.
      } catch (InterruptedException e) {
        break;
      }
      hangUp();
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException e) {
        break;
      }
    }
    hangUp();
  }

  private void read() throws IOException, InterruptedException {
    BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      lines.put(new Line(line, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())));
    }
  }

  private void hangUp() {
    Socket open = socket;
    socket = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // It is of no use any more.
      }
    }
  }
}
