package io.rowtime.operator.join;

import io.rowtime.operator.spec.TimeWindow;

/**
 * The interval in which a row is present, as a function of its time: it begins and ends a number of microseconds after the time,
 * and is limited to the window that contains the time, if there are windows. A later row never begins or ends earlier. Base times
 * are whole milliseconds.
 */
final class PresenceInterval {
  private static final long MILLI = 1000;

  private final long from;
  private final long to;
  /** Null if there are no windows. */
  private final TimeWindow window;
  /** The window that was used last. */
  private long start;
  private long next;

  PresenceInterval(long from, long to, TimeWindow window) {
    this.from = from;
    this.to = to;
    this.window = window;
  }

  long begin(long time) {
    return within(time, from);
  }

  long end(long time) {
    return within(time, to);
  }

  private long within(long time, long shift) {
    if (window == null) {
      return time + shift;
    }
    find(time);
    return Math.max(start, Math.min(time + shift, next - MILLI));
  }

  private void find(long time) {
    if (time < start || time >= next) {
      start = window.start(time);
      next = window.next(time);
    }
  }

  /** Returns the least time of rows that begin to be present at {@code begin} or later. */
  long reaches(long begin) {
    if (window == null) {
      return begin - from;
    }
    find(begin);
    return begin == start ? start : Math.max(start, Math.min(begin - from, next));
  }

  /** Returns whether rows are present before their own time. */
  boolean looksAhead() {
    return from < 0;
  }
}
