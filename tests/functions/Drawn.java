package examples;

import java.util.concurrent.atomic.AtomicInteger;

/** Returns another number at each call, and says how many it has returned. */
public final class Drawn {
  private static final AtomicInteger DRAWN = new AtomicInteger();

  private Drawn() {}

  public static Integer next(Integer row) {
    return DRAWN.incrementAndGet();
  }

  public static Integer count() {
    return DRAWN.get();
  }
}
