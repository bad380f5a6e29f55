package io.rowtime.marks;

/**
 * The bound of an idle source: when no row has arrived for {@code timeout}, its last bound advances with the system
 * clock; the bound of a source that never had a row is {@code timeout} behind the system clock. All times are in
 * milliseconds.
 *
 * <p>Idleness is measured by what the query sees: time counts from the moment when it asked its sources and there was
 * nothing. Therefore neither a long batch nor a time when the query did not run makes rows late that were waiting to be
 * read.
 */
final class IdleClock {
  private final long timeout;
  private long since;
  private long lastRows;
  private Long bound;

  /** @param lastRows the last batch with rows, or -1 if there was none */
  IdleClock(long timeout, long now, long lastRows, Long bound) {
    this.timeout = timeout;
    this.since = now;
    this.lastRows = lastRows;
    this.bound = bound;
  }

  /** Returns whether rows came since the last call, in which case {@link #rowsCame} must be called. */
  boolean isNews(long rows) {
    return rows > lastRows;
  }

  void rowsCame(long now, long rows, Long its) {
    since = now;
    lastRows = rows;
    bound = its;
  }

  /** Returns the bound by the system clock, or null while the source is not idle. */
  Long bound(long now) {
    if (now - since < timeout) {
      return null;
    }
    return lastRows < 0 || bound == null ? now - timeout : bound + (now - since) - timeout;
  }
}
