package io.rowtime.socket;

import java.io.IOException;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Holds connections that are opened before the query that reads them runs, called from Python: whoever starts a query
 * learns at once if nobody answers, and a server that accepts only one connection has not wasted it.
 */
public final class OpenConnections {
  private static final long CLAIM_TIMEOUT = 60_000;
  private static final Map<String, Connection> OPEN = new ConcurrentHashMap<>();
  private static final Timer TIMER = new Timer("rowtime sockets", true);

  private OpenConnections() {}

  /** Opens a connection; returns the key by which a source claims it within a minute. Throws IOException. */
  public static String open(String host, int port) throws IOException {
    String key = UUID.randomUUID().toString();
    OPEN.put(key, new Connection(host, port));
    TIMER.schedule(new TimerTask() {
      @Override public void run() {
        Connection unclaimed = OPEN.remove(key);
        if (unclaimed != null) {
          unclaimed.close();
        }
      }
    }, CLAIM_TIMEOUT);
    return key;
  }

  /** Returns the connection with that key, or a new one if there is none or it has expired. */
  static Connection claim(String key, String host, int port) throws IOException {
    Connection found = key == null ? null : OPEN.remove(key);
    return found == null ? new Connection(host, port) : found;
  }
}
