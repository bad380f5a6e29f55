package io.rowtime.marks;

/**
 * The bound of a source that is quiet: once no row came for {@code timeout}, its last bound moves on with the clock; one
 * that never had a row is {@code timeout} behind the clock. All in milliseconds.
 *
 * <p>Quiet is what the query sees: time counts from when it asked its sources and there was nothing, so that neither a
 * long batch nor the time for which it did not run makes rows late that were waiting to be read.
 */
final class IdleClock {
  private final long timeout;
  private long since;
  private long lastRows;
  private Long bound;

  /** @param lastRows the last batch that brought rows, or -1 where none ever did */
  IdleClock(long timeout, long now, long lastRows, Long bound) {
    this.timeout = timeout;
    this.since = now;
    this.lastRows = lastRows;
    this.bound = bound;
  }

  /** Whether rows came since the last question, so that {@link #rowsCame} wants to be told of it. */
  boolean isNews(long rows) {
    return rows > lastRows;
  }

  void rowsCame(long now, long rows, Long its) {
    since = now;
    lastRows = rows;
    bound = its;
  }

  /** The bound by the clock, or null while the source is not quiet. */
  Long bound(long now) {
    if (now - since < timeout) {
      return null;
    }
    return lastRows < 0 || bound == null ? now - timeout : bound + (now - since) - timeout;
  }
}
