package io.rowtime.marks;

/**
 * The bound of an idle source: when no row has arrived for {@code timeout}, its last bound advances with the system
 * clock; the bound of a source that never had a row is {@code timeout} behind the system clock. All times are in
 * milliseconds; {@code now} is that of a clock which is never set.
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

  /** Returns the bound when the system clock says {@code system}, or null while the source is not idle. */
  Long bound(long now, long system) {
    if (now - since < timeout) {
      return null;
    }
    return lastRows < 0 || bound == null ? system - timeout : bound + (now - since) - timeout;
  }
}
