package io.rowtime.state;

import org.apache.spark.sql.streaming.TimerValues;

/** Between Spark's milliseconds, of its watermark and its timers, and the microseconds of rows. */
public final class Watermark {
  private Watermark() {}

  /** The query's watermark in microseconds; the largest number where it is later than that can say. */
  public static long micros(TimerValues times) {
    long millis = times.getCurrentWatermarkInMs();
    return millis > Long.MAX_VALUE / 1000 ? Long.MAX_VALUE : millis * 1000;
  }

  /** The first watermark, in milliseconds, at which something is due that is due at {@code micros}. */
  public static long millis(long micros) {
    return Math.floorDiv(micros + 999, 1000L);
  }
}
