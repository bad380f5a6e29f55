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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Converts bounds between UTC and the local time of a zone. Local clocks are sometimes set back, and then show some
 * times twice. Even if no instant before a bound can follow, local times before the bound's local time still can.
 *
 * <p>Instants are microseconds since 1970-01-01 00:00 UTC; local times are expressed as if they were UTC.
 */
public final class LocalClock implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final long SECOND = 1_000_000;
  /** The maximum distance of a local time from UTC. */
  private static final long MAX_OFFSET = ZoneOffset.MAX.getTotalSeconds() * SECOND;
  private static final int SOME_YEAR = 2100;
  private static final Map<String, LocalClock> KNOWN = new ConcurrentHashMap<>();

  private final ZoneRules rules;

  private LocalClock(ZoneRules rules) {
    this.rules = rules;
  }

  /**
   * Returns the clock of a zone.
   *
   * @param zone a zone such as {@code Europe/Berlin} or {@code +05:30}
   * @throws DateTimeException if there is no zone of that name
   */
  public static LocalClock of(String zone) {
    LocalClock known = KNOWN.get(zone);
    return known != null ? known : KNOWN.computeIfAbsent(zone, name -> new LocalClock(zone(name).getRules()));
  }

  /**
   * Returns a zone by name, or by an abbreviation that Spark also accepts.
   *
   * @throws DateTimeException if there is no zone of that name
   */
  public static ZoneId zone(String name) {
    return ZoneId.of(name.replaceFirst("^([+-])(\\d):", "$10$2:"), ZoneId.SHORT_IDS);
  }

  /** Returns the clock of a zone; empty if there is no zone of that name. */
  public static Optional<LocalClock> find(String zone) {
    try {
      return Optional.of(of(zone));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Returns the bound of local times: the earliest local time at or after the instant {@code bound}. */
  public long at(long bound) {
    Instant from = Instant.ofEpochSecond(Math.floorDiv(bound, SECOND));
    long least = bound + micros(rules.getOffset(from));
    ZoneOffsetTransition next = rules.nextTransition(from);
    while (next != null && instant(next) - MAX_OFFSET < least) {
      least = Math.min(least, instant(next) + micros(next.getOffsetAfter()));
      next = rules.nextTransition(next.getInstant());
    }
    return least;
  }

  /**
   * Returns the least instant at which the bound of local times has reached {@code local}: no clock shows an earlier
   * time from then on.
   */
  public long reaches(long local) {
    long begin = Math.floorDiv(local, SECOND) * SECOND - MAX_OFFSET;
    long found = begin;
    ZoneOffset offset = rules.getOffset(Instant.ofEpochSecond(begin / SECOND));
    while (true) {
      ZoneOffsetTransition next = rules.nextTransition(Instant.ofEpochSecond(Math.floorDiv(begin, SECOND)));
      long end = next == null ? Long.MAX_VALUE : instant(next);
      long reached = local - micros(offset);
      // Before that, clocks show earlier times; the last interval between two transitions in which some do decides.
      if (reached > begin) {
        found = Math.min(end, reached);
      }
      if (next == null || end >= local + MAX_OFFSET) {
        return found;
      }
      begin = end;
      offset = next.getOffsetAfter();
    }
  }

  /** Returns the furthest that clocks have been set back at once since 1970, or will be. */
  public Duration setBack() {
    Stream<ZoneOffsetTransition> known = rules.getTransitions().stream();
    Stream<ZoneOffsetTransition> yearly = rules.getTransitionRules().stream().map((ZoneOffsetTransitionRule rule) -> rule.createTransition(SOME_YEAR));
    return Stream.concat(known, yearly).filter(change -> change.isOverlap() && change.toEpochSecond() >= 0).map(change -> change.getDuration().negated())
        .max(Duration::compareTo).orElse(Duration.ZERO);
  }

  /**
   * Returns the furthest that clocks have been set forward, all in all, within any period of this length since 1970, or
   * will be.
   */
  public Duration setForward(Duration period) {
    List<ZoneOffsetTransition> changes = new ArrayList<>(rules.getTransitions().stream().filter(change -> change.toEpochSecond() >= 0).toList());
    // The rules are the same in each later year, and clocks are set back as far as they are set forward.
    int first = changes.isEmpty() ? SOME_YEAR : changes.get(changes.size() - 1).getDateTimeBefore().getYear() + 1;
    for (int year = first; year < first + 2; year++) {
      int each = year;
      rules.getTransitionRules().forEach(rule -> changes.add(rule.createTransition(each)));
    }
    changes.sort(Comparator.comparing(ZoneOffsetTransition::toEpochSecond));
    long most = 0;
    for (int from = 0; from < changes.size(); from++) {
      long forward = 0;
      for (int i = from; i < changes.size() && changes.get(i).toEpochSecond() - changes.get(from).toEpochSecond() <= period.toSeconds(); i++) {
        forward += changes.get(i).getDuration().toSeconds();
        most = Math.max(most, forward);
      }
    }
    return Duration.ofSeconds(most);
  }

  private static long instant(ZoneOffsetTransition change) {
    return change.toEpochSecond() * SECOND;
  }

  private static long micros(ZoneOffset offset) {
    return offset.getTotalSeconds() * SECOND;
  }
}
