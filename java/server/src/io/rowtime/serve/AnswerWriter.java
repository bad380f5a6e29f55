package io.rowtime.serve;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Writes answers to clients that have to read them: if a part of an answer is not taken within the time limit, the
 * connection is closed. The server of the JDK would wait for ever.
 */
final class AnswerWriter {
  private static final int PART = 1 << 16;

  private final ScheduledExecutorService clock;
  private final long limitMillis;

  AnswerWriter(ScheduledExecutorService clock, long limitMillis) {
    this.clock = clock;
    this.limitMillis = limitMillis;
  }

  void write(HttpExchange exchange, int status, byte[] body) throws IOException {
    within(() -> exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length));
    OutputStream out = exchange.getResponseBody();
    for (int begin = 0; begin < body.length; begin += PART) {
      int from = begin;
      within(() -> out.write(body, from, Math.min(PART, body.length - from)));
    }
    // The end of the answer may still be in a buffer.
    within(out::close);
  }

  /** A step that may block. */
  private interface Step {
    void run() throws IOException;
  }

  private void within(Step step) throws IOException {
    Blocked blocked = new Blocked(Thread.currentThread());
    ScheduledFuture<?> end = clock.schedule(blocked::interrupt, limitMillis, TimeUnit.MILLISECONDS);
    try {
      step.run();
    } finally {
      end.cancel(false);
      blocked.release();
    }
  }

  /** A thread that may be blocked in a step. Interrupting it closes the connection that it writes to. */
  private static final class Blocked {
    private Thread thread;

    Blocked(Thread thread) {
      this.thread = thread;
    }

    synchronized void interrupt() {
      if (thread != null) {
        thread.interrupt();
      }
    }

    synchronized void release() {
      thread = null;
      // An interrupt after the step was meant for the step.
      Thread.interrupted();
    }
  }
}
