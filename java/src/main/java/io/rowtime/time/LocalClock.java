package io.rowtime.time;

import java.io.Serializable;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneOffsetTransitionRule;
import java.time.zone.ZoneRules;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What the clocks of a time zone tell of a bound. They are set back now and then, and so show a time twice: that no instant
 * before a bound is to come does not mean that no local time before that bound's is.
 *
 * <p>Instants are microseconds since 1970-01-01 00:00 UTC; local times are written as if they were UTC.
 */
public final class LocalClock implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final long SECOND = 1_000_000;
  /** No local time is further from UTC. */
  private static final long FURTHEST = ZoneOffset.MAX.getTotalSeconds() * SECOND;
  private static final int SOME_YEAR = 2100;
  private static final Map<String, LocalClock> KNOWN = new ConcurrentHashMap<>();

  private final ZoneRules rules;

  private LocalClock(ZoneRules rules) {
    this.rules = rules;
  }

  /**
   * The clock of a zone.
   *
   * @param zone such as {@code Europe/Berlin} or {@code +05:30}
   * @throws DateTimeException if there is none of that name
   */
  public static LocalClock of(String zone) {
    return KNOWN.computeIfAbsent(zone, name -> new LocalClock(zone(name).getRules()));
  }

  /**
   * A zone by its name, or one of the abbreviations that Spark knows too.
   *
   * @throws DateTimeException if there is none of that name
   */
  public static ZoneId zone(String name) {
    return ZoneId.of(name.replaceFirst("^([+-])(\\d):", "$10$2:"), ZoneId.SHORT_IDS);
  }

  /** The clock of a zone; empty if there is none of that name. */
  public static Optional<LocalClock> find(String zone) {
    try {
      return Optional.of(of(zone));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The earliest local time at or after {@code bound}: the bound of local times. */
  public long at(long bound) {
    Instant from = Instant.ofEpochSecond(Math.floorDiv(bound, SECOND));
    long least = bound + micros(rules.getOffset(from));
    ZoneOffsetTransition next = rules.nextTransition(from);
    while (next != null && instant(next) - FURTHEST < least) {
      least = Math.min(least, instant(next) + micros(next.getOffsetAfter()));
      next = rules.nextTransition(next.getInstant());
    }
    return least;
  }

  /** The least bound at which that of local times has reached {@code local}: no clock shows an earlier time from then on. */
  public long reaches(long local) {
    long begin = Math.floorDiv(local, SECOND) * SECOND - FURTHEST;
    long found = begin;
    ZoneOffset offset = rules.getOffset(Instant.ofEpochSecond(begin / SECOND));
    while (true) {
      ZoneOffsetTransition next = rules.nextTransition(Instant.ofEpochSecond(Math.floorDiv(begin, SECOND)));
      long end = next == null ? Long.MAX_VALUE : instant(next);
      long reached = local - micros(offset);
      // Before that, clocks show earlier times; the last stretch between two changes in which some do decides.
      if (reached > begin) {
        found = Math.min(end, reached);
      }
      if (next == null || end >= local + FURTHEST) {
        return found;
      }
      begin = end;
      offset = next.getOffsetAfter();
    }
  }

  /** The furthest that clocks have been set back at once since 1970, or will be. */
  public Duration setBack() {
    Stream<ZoneOffsetTransition> known = rules.getTransitions().stream();
    Stream<ZoneOffsetTransition> yearly = rules.getTransitionRules().stream().map((ZoneOffsetTransitionRule rule) -> rule.createTransition(SOME_YEAR));
    return Stream.concat(known, yearly).filter(change -> change.isOverlap() && change.toEpochSecond() >= 0).map(change -> change.getDuration().negated())
        .max(Duration::compareTo).orElse(Duration.ZERO);
  }

  private static long instant(ZoneOffsetTransition change) {
    return change.toEpochSecond() * SECOND;
  }

  private static long micros(ZoneOffset offset) {
    return offset.getTotalSeconds() * SECOND;
  }
}
