package io.rowtime.state;

import org.apache.spark.sql.streaming.TimerValues;

/** Converts between milliseconds, the unit of Spark's watermark and timers, and microseconds, the unit of rows. */
public final class Watermark {
  private Watermark() {}

  /** Returns the query's watermark in microseconds; the largest number if it does not fit. */
  public static long micros(TimerValues times) {
    long millis = times.getCurrentWatermarkInMs();
    return millis > Long.MAX_VALUE / 1000 ? Long.MAX_VALUE : millis * 1000;
  }

  /** Returns the first watermark, in milliseconds, at which something is due that is due at {@code micros}. */
  public static long millis(long micros) {
    return Math.floorDiv(micros + 999, 1000L);
  }
}
