package io.rowtime.serve;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The memory for the bodies of all requests that are under way. A request takes its part while its body is read, and
 * holds it until it is answered: an answer needs a multiple of the body's size.
 */
final class RequestBudget {
  /** Each request may have so many bytes without asking, so that short ones, such as a cancellation, never wait. */
  private static final int FREE = 64 << 10;
  private static final int PIECE = 64 << 10;
  private static final long WAIT_MILLIS = 10_000;

  private final int largest;
  private final Semaphore kilobytes;

  /**
   * Creates a budget.
   *
   * @param largest the size of the largest request, in bytes
   * @param total the size of all requests together, in bytes; there is always room for one request
   */
  RequestBudget(int largest, long total) {
    this.largest = largest;
    kilobytes = new Semaphore((int) Math.min(Integer.MAX_VALUE, Math.max(total, largest) >> 10), true);
  }

  /** Why a body is not read. */
  enum Refusal { TOO_LARGE, NO_ROOM }

  /** Thrown if a body is not read. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1;
    final Refusal why;

    Refused(Refusal why) {
      super(why.name(), null, false, false);
      this.why = why;
    }
  }

  /** The body of a request, whose memory is free again when it is closed. */
  final class Body implements AutoCloseable {
    private final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS);
    private byte[] bytes;
    private int taken;

    byte[] bytes() {
      return bytes;
    }

    @Override public void close() {
      kilobytes.release(taken);
      taken = 0;
    }

    /** Takes as much of the budget as a body of that size needs. */
    private void reserve(long size) throws Refused {
      int needed = size <= FREE ? 0 : (int) ((size + 1023) >> 10);
      if (needed > taken) {
        try {
          if (!kilobytes.tryAcquire(needed - taken, deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            throw new Refused(Refusal.NO_ROOM);
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new Refused(Refusal.NO_ROOM);
        }
        taken = needed;
      }
    }

    private void read(InputStream in, long length) throws IOException, Refused {
      if (length >= 0) {
        reserve(length);
        bytes = in.readNBytes((int) length);
        return;
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream(PIECE);
      byte[] piece = new byte[PIECE];
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        if (out.size() + count > largest) {
          throw new Refused(Refusal.TOO_LARGE);
        }
        // The array of the stream doubles when it grows.
        reserve(Math.min(largest, 2L * (out.size() + count)));
        out.write(piece, 0, count);
      }
      bytes = out.toByteArray();
    }
  }

  /** Returns whether a request is refused by the length that it announces; null if it announces none. */
  boolean isTooLarge(String length) {
    try {
      return length != null && Long.parseLong(length.strip()) > largest;
    } catch (NumberFormatException e) {
      return true;
    }
  }

  /**
   * Reads a body, waiting for a limited time if the budget is used up. If it is refused, the rest has been read and
   * discarded up to the size of the largest request: a client that is still sending would not read the answer.
   *
   * @param length its length as announced, not {@link #isTooLarge}; null if it was not
   */
  Body read(InputStream in, String length) throws IOException, Refused {
    Body body = new Body();
    try {
      body.read(in, length == null ? -1 : Long.parseLong(length.strip()));
      return body;
    } catch (Refused e) {
      body.close();
      discard(in);
      throw e;
    } catch (IOException | RuntimeException e) {
      body.close();
      throw e;
    }
  }

  private void discard(InputStream in) throws IOException {
    byte[] piece = new byte[PIECE];
    long left = largest;
    for (int count = in.read(piece); count >= 0 && left > 0; count = in.read(piece)) {
      left -= count;
    }
  }
}
