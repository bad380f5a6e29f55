package io.rowtime.microbatch;

import io.rowtime.spark.Rethrown;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.spark.util.Clock;

/**
 * The clock of a query's trigger, which decides when Spark looks for new rows: at once after a micro-batch, and when a
 * commit of a log that the query reads is announced; otherwise after an interval, since other processes and other
 * sources announce nothing.
 */
final class BatchClock implements Clock {
  /** Milliseconds. A look takes about one. */
  private static final long INTERVAL = 50;
  /** While someone waits for the query to have nothing more to do. */
  private static final long SHORT_INTERVAL = 1;

  /** Is called when Spark begins to look for new rows; returns false if it has to be called again. */
  private final BooleanSupplier beforeLook;
  /** Whether Spark looks for new rows next: it first asks for the time. */
  private volatile boolean looks = true;
  private boolean due;
  private int waiting;

  BatchClock(BooleanSupplier beforeLook) {
    this.beforeLook = beforeLook;
  }

  /** Lets Spark look for new rows now, or right after what it is doing. */
  synchronized void wake() {
    due = true;
    notifyAll();
  }

  /** Someone begins to wait until there are no new rows: Spark says so only when it looks. */
  synchronized void beginWait() {
    waiting++;
    wake();
  }

  synchronized void endWait() {
    waiting--;
  }

  @Override public long getTimeMillis() {
    if (looks && beforeLook.getAsBoolean()) {
      looks = false;
    }
    return System.currentTimeMillis();
  }

  @Override public long nanoTime() {
    return System.nanoTime();
  }

  /**
   * Waits until Spark shall look for new rows; the time at which its trigger is due has no meaning. Throws
   * InterruptedException when the query is stopped, as Spark expects, though Scala does not declare it.
   */
  @Override public long waitTillTime(long target) {
    try {
      waitUntilDue();
    } catch (InterruptedException e) {
      throw Rethrown.unchanged(e);
    }
    looks = true;
    return System.currentTimeMillis();
  }

  private synchronized void waitUntilDue() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waiting > 0 ? SHORT_INTERVAL : INTERVAL);
    long left = end - System.nanoTime();
    while (!due && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = end - System.nanoTime();
    }
    due = false;
  }
}
