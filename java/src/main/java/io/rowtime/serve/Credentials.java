package io.rowtime.serve;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The user and password that a server requires. Comparisons take constant time, and failures are delayed. */
final class Credentials {
  private static final long DELAY_MILLIS = 1_000;
  /** Further failures at the same time are refused at once, so that guessing does not block the threads of others. */
  private static final int MAX_WAITING = 8;

  private final byte[] wanted;
  private final Semaphore waiting = new Semaphore(MAX_WAITING);

  Credentials(String user, String password) {
    this.wanted = digest(user + ":" + password);
  }

  /** Returns whether a header of HTTP basic authentication is correct; if it is not, this takes a second. */
  boolean accepts(String header) {
    byte[] given = new byte[0];
    if (header != null && header.regionMatches(true, 0, "Basic ", 0, 6)) {
      try {
        given = Base64.getDecoder().decode(header.substring(6).trim());
      } catch (IllegalArgumentException e) {
        given = new byte[0];
      }
    }
    if (MessageDigest.isEqual(digest(new String(given, StandardCharsets.UTF_8)), wanted)) {
      return true;
    }
    if (waiting.tryAcquire()) {
      try {
        TimeUnit.MILLISECONDS.sleep(DELAY_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        waiting.release();
      }
    }
    return false;
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
