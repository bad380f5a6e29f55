package io.rowtime.microbatch;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** When a query looks for new rows. */
public class BatchClockTest {
  /** Less than the interval at which a query looks anyway, in milliseconds. */
  private static final long AT_ONCE = 40;

  private final BatchClock clock = new BatchClock(() -> true);

  @Test public void afterAMicroBatchItLooksAtOnce() {
    clock.wake();
    assertTrue(shortest(() -> clock.wake()) < AT_ONCE);
  }

  @Test public void aCommitDuringALookIsNotMissed() {
    assertTrue(shortest(() -> clock.wake()) < AT_ONCE);
  }

  @Test public void oneCommitIsOneLook() {
    clock.wake();
    clock.waitTillTime(0);
    assertTrue(waited() >= AT_ONCE);
  }

  @Test public void aCommitEndsTheWait() throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    Thread waiting = new Thread(() -> {
      // Without commits, ten looks take half a second.
      for (int i = 0; i < 10; i++) {
        clock.waitTillTime(0);
      }
      ended.countDown();
    });
    long began = System.nanoTime();
    waiting.start();
    while (!ended.await(1, TimeUnit.MILLISECONDS)) {
      clock.wake();
    }
    assertTrue(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began) < 10 * AT_ONCE);
  }

  @Test public void whileSomeoneWaitsItLooksOften() {
    clock.beginWait();
    clock.waitTillTime(0);
    assertTrue(shortest(() -> { }) < AT_ONCE);
    clock.endWait();
    assertTrue(waited() >= AT_ONCE);
  }

  @Test public void anInterruptEndsTheWait() {
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> clock.waitTillTime(0));
    assertFalse(Thread.interrupted());
  }

  /** Returns the shortest of some waits, since the machine may be busy. */
  private long shortest(Runnable before) {
    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < 20; i++) {
      before.run();
      shortest = Math.min(shortest, waited());
    }
    return shortest;
  }

  private long waited() {
    long began = System.nanoTime();
    clock.waitTillTime(0);
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
  }
}
