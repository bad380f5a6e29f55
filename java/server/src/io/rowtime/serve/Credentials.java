package io.rowtime.serve;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The user and password that a server requires.
 *
 * <p>Passwords of new connections are compared one after another, in constant time, and a wrong one keeps the next from
 * being compared for a second: however many connections somebody opens, they guess once a second in all. Connections
 * that have shown the right password do not wait.
 */
final class Credentials {
  private static final long DELAY_MILLIS = 1_000;
  /** More are refused without being compared, so that guessing occupies few threads. */
  private static final int MAX_WAITING = 16;
  private static final int MAX_KNOWN = 10_000;

  private final byte[] wanted;
  private final Semaphore waiting = new Semaphore(MAX_WAITING);
  private final Semaphore turn = new Semaphore(1, true);
  private final Set<InetSocketAddress> known = Collections.synchronizedSet(Collections.newSetFromMap(
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override protected boolean removeEldestEntry(Map.Entry<InetSocketAddress, Boolean> eldest) {
          return size() > MAX_KNOWN;
        }
      }));

  Credentials(String user, String password) {
    this.wanted = digest((user + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  /** The judgement of a request. */
  enum Verdict {
    ACCEPTED, WRONG,
    /** There are too many wrong ones at the moment; the password was not looked at. */
    BUSY
  }

  /**
   * Judges a header of HTTP basic authentication. A wrong one takes a second, and longer if there are others.
   *
   * @param client the client's end of the connection
   */
  Verdict judge(String header, InetSocketAddress client) {
    if (header == null) {
      // A question, not a guess.
      return Verdict.WRONG;
    }
    if (known.contains(client)) {
      if (isRight(header)) {
        return Verdict.ACCEPTED;
      }
      known.remove(client);
    }
    if (!waiting.tryAcquire()) {
      return Verdict.BUSY;
    }
    try {
      turn.acquire();
      try {
        if (isRight(header)) {
          known.add(client);
          return Verdict.ACCEPTED;
        }
        TimeUnit.MILLISECONDS.sleep(DELAY_MILLIS);
        return Verdict.WRONG;
      } finally {
        turn.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Verdict.BUSY;
    } finally {
      waiting.release();
    }
  }

  private boolean isRight(String header) {
    byte[] given = new byte[0];
    if (header.regionMatches(true, 0, "Basic ", 0, 6)) {
      try {
        given = Base64.getDecoder().decode(header.substring(6).trim());
      } catch (IllegalArgumentException e) {
        given = new byte[0];
      }
    }
    return MessageDigest.isEqual(digest(given), wanted);
  }

  private static byte[] digest(byte[] text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
