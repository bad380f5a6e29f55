package io.rowtime.kafka;

import io.rowtime.spark.Rethrown;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;

/**
 * The batches of a query in real-time mode, which Spark ends by the clock only. This ends them earlier: before the query is
 * stopped, so that no row is written again when it continues, and when someone waits for the rows that have arrived. Tasks in
 * other processes do not notice, and end by the clock.
 */
public final class RealTimeBatches {
  /** The queries that run in this process, by the folders of their sources. */
  private static final Map<String, RealTimeBatches> RUNNING = new ConcurrentHashMap<>();

  private final String folder;
  private final RealTimeTasks tasks = new RealTimeTasks();
  private int begun;
  private volatile int ended;
  private boolean closing;
  private boolean waiting;

  private RealTimeBatches(String folder) {
    this.folder = folder;
  }

  static RealTimeBatches open(String folder) {
    RealTimeBatches opened = new RealTimeBatches(new Path(folder).toUri().getPath());
    RUNNING.put(opened.folder, opened);
    return opened;
  }

  void close() {
    RUNNING.remove(folder, this);
    tasks.release();
  }

  String folder() {
    return folder;
  }

  /** Must be called before each batch, on the thread of the query. Once the query is to end, it returns no more. */
  synchronized void begin() {
    begun++;
    waiting = closing;
    notifyAll();
    try {
      while (closing) {
        wait();
      }
    } catch (InterruptedException e) {
      throw Rethrown.unchanged(e);
    }
  }

  /** Takes a core for each task of the batch that begins, as long as the query runs. */
  void take(int count, String topic) {
    tasks.take(count, topic);
  }

  synchronized int current() {
    return begun;
  }

  /** Returns whether a batch of a query shall end. */
  static boolean isOver(String folder, int batch) {
    RealTimeBatches of = RUNNING.get(folder);
    return of != null && batch <= of.ended;
  }

  /** Ends the batch that runs; another one begins. */
  public static void next(String folder) {
    RealTimeBatches of = RUNNING.get(folder);
    if (of != null) {
      of.ended = of.current();
    }
  }

  /**
   * Ends the batch that runs, and lets none begin: the query can be stopped between two. Returns whether that is so within some
   * milliseconds.
   */
  public static boolean finish(String folder, long millis) throws InterruptedException {
    RealTimeBatches of = RUNNING.get(folder);
    return of == null || of.finish(millis);
  }

  private synchronized boolean finish(long millis) throws InterruptedException {
    closing = true;
    ended = begun;
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = millis; !waiting && left > 0; left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
      wait(left);
    }
    return waiting;
  }
}
