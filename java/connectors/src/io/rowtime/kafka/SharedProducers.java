package io.rowtime.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The producers of this process, one for each set of settings. A new one would ask the broker for the topic first, while the rows
 * of the next batch wait; so one that nobody uses is kept for a while.
 */
final class SharedProducers {
  /** Seconds. */
  private static final long KEPT = 60;
  private static final Map<Map<String, String>, SharedProducers> OPEN = new HashMap<>();
  private static final ScheduledExecutorService CLOSING = Executors.newSingleThreadScheduledExecutor(task -> {
    Thread thread = new Thread(task, "rowtime producers");
    thread.setDaemon(true);
    return thread;
  });

  private final Producer<byte[], byte[]> producer;
  private int users;
  private int uses;

  private SharedProducers(Map<String, String> client) {
    Properties properties = new Properties();
    // A row is sent at once, and not with those of the next milliseconds.
    properties.put("linger.ms", "0");
    properties.putAll(client);
    producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  static Producer<byte[], byte[]> take(Map<String, String> client) {
    synchronized (OPEN) {
      SharedProducers shared = OPEN.computeIfAbsent(client, SharedProducers::new);
      shared.users++;
      shared.uses++;
      return shared.producer;
    }
  }

  static void giveBack(Map<String, String> client) {
    synchronized (OPEN) {
      SharedProducers shared = OPEN.get(client);
      shared.users--;
      int uses = shared.uses;
      // Whatever this returns, nobody waits for it.
      var unused = CLOSING.schedule(() -> closeUnless(client, shared, uses), KEPT, TimeUnit.SECONDS);
    }
  }

  private static void closeUnless(Map<String, String> client, SharedProducers shared, int uses) {
    synchronized (OPEN) {
      if (shared.users > 0 || shared.uses != uses || !OPEN.remove(client, shared)) {
        return;
      }
    }
    shared.producer.close(Duration.ZERO);
  }
}
