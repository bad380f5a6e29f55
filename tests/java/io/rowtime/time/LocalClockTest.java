package io.rowtime.time;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import org.junit.Test;

public class LocalClockTest {
  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long DAY = 24 * 60 * MINUTE;

  private static long micros(String time) {
    return LocalDateTime.parse(time).toEpochSecond(ZoneOffset.UTC) * SECOND;
  }

  private static void reaches(String zone, String local, String utc) {
    assertEquals(zone + " " + local, utc, LocalDateTime.ofEpochSecond(LocalClock.of(zone).reaches(micros(local)) / SECOND, 0, ZoneOffset.UTC).toString());
  }

  /** In 2024 Berlin's clocks went from 02:00 to 03:00 on March 31, and from 03:00 back to 02:00 on October 27. */
  @Test public void aTimeIsReachedWhenNoClockShowsAnEarlierOneAgain() {
    reaches("Europe/Berlin", "2024-06-02T00:00", "2024-06-01T22:00");
    reaches("Europe/Berlin", "2024-01-02T00:00", "2024-01-01T23:00");
    // The clocks skip these.
    reaches("Europe/Berlin", "2024-03-31T02:00", "2024-03-31T01:00");
    reaches("Europe/Berlin", "2024-03-31T02:30", "2024-03-31T01:00");
    reaches("Europe/Berlin", "2024-03-31T03:00", "2024-03-31T01:00");
    // They show these twice; 02:00 is the earliest of the times that are repeated.
    reaches("Europe/Berlin", "2024-10-27T02:00", "2024-10-27T00:00");
    reaches("Europe/Berlin", "2024-10-27T02:01", "2024-10-27T01:01");
    reaches("Europe/Berlin", "2024-10-27T03:00", "2024-10-27T02:00");
    // A whole day was skipped, and the offset is only one hour below the maximum.
    reaches("Pacific/Apia", "2011-12-30T12:00", "2011-12-30T10:00");
    // One minute past midnight, clocks were set back to the previous day.
    reaches("America/St_Johns", "2010-11-07T00:00", "2010-11-07T03:30");
    reaches("+18:00", "2024-01-01T00:00", "2023-12-31T06:00");
    reaches("-18:00", "2024-01-01T00:00", "2024-01-01T18:00");
  }

  @Test public void itIsTheLeastThatIsStillShown() {
    LocalClock berlin = LocalClock.of("Europe/Berlin");
    assertEquals(micros("2024-10-27T01:59"), berlin.at(micros("2024-10-26T23:59")));
    assertEquals(micros("2024-10-27T02:00"), berlin.at(micros("2024-10-27T00:59")));
    assertEquals(micros("2024-10-27T02:01"), berlin.at(micros("2024-10-27T01:01")));
  }

  @Test public void asMinuteByMinute() {
    Random random = new Random(42);
    for (String zone : List.of("Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "America/Havana", "Pacific/Apia",
        "Asia/Manila", "Africa/Casablanca", "Antarctica/Troll", "Asia/Kolkata", "UTC", "-03:30")) {
      LocalClock clock = LocalClock.of(zone);
      for (int i = 0; i < 60; i++) {
        long bound = around(zone, random);
        long least = Long.MAX_VALUE;
        for (long t = bound; t < bound + 2 * DAY; t += MINUTE) {
          least = Math.min(least, shown(zone, t));
        }
        assertEquals(zone + " " + bound, least, clock.at(bound));
        long local = shown(zone, bound) + (random.nextInt(180) - 90) * MINUTE;
        long reached = clock.reaches(local);
        assertTrue(zone, shown(zone, reached - MINUTE) < local);
        assertTrue(zone, clock.at(reached) >= local);
        assertFalse(zone, clock.at(reached - 1) >= local);
      }
    }
  }

  /** Returns a minute within a day of one of the zone's transitions, if there are any. */
  private static long around(String zone, Random random) {
    Instant some = Instant.parse("1970-01-01T00:00:00Z").plus(Duration.ofDays(random.nextInt(365 * 75)));
    var next = ZoneId.of(zone).getRules().nextTransition(some);
    long second = next == null ? some.getEpochSecond() : next.toEpochSecond();
    return Math.floorDiv(second, 60) * MINUTE + (random.nextInt(2880) - 1440) * MINUTE;
  }

  private static long shown(String zone, long utc) {
    return utc + ZoneId.of(zone).getRules().getOffset(Instant.ofEpochSecond(Math.floorDiv(utc, SECOND))).getTotalSeconds() * SECOND;
  }

  @Test public void howFarClocksAreSetBack() {
    assertEquals(Duration.ZERO, LocalClock.of("UTC").setBack());
    assertEquals(Duration.ofHours(1), LocalClock.of("Europe/Berlin").setBack());
    assertEquals(Duration.ofHours(2), LocalClock.of("America/St_Johns").setBack());
    // Not since 1945.
    assertEquals(Duration.ZERO, LocalClock.of("Asia/Kolkata").setBack());
    assertTrue(LocalClock.find("Europe/Atlantis").isEmpty());
    assertTrue(LocalClock.find("not a zone").isEmpty());
  }
}
