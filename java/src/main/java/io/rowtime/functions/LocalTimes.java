package io.rowtime.functions;

import io.rowtime.time.LocalClock;
import org.apache.spark.unsafe.types.UTF8String;

/** Local times, for Spark's expressions. */
public final class LocalTimes {

  /** The last zone: nearly always it is the next one too. */
  private record Last(UTF8String zone, LocalClock clock) {}

  private static final ThreadLocal<Last> LAST = new ThreadLocal<>();

  private LocalTimes() {}

  /** The least time in UTC from which on no clock of the zone shows an earlier time than {@code local}; both in microseconds. */
  public static long reached(long local, UTF8String zone) {
    Last last = LAST.get();
    if (last == null || !last.zone.equals(zone)) {
      last = new Last(zone.copy(), LocalClock.of(zone.toString()));
      LAST.set(last);
    }
    return last.clock.reaches(local);
  }
}
