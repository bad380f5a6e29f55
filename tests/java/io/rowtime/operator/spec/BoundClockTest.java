package io.rowtime.operator.spec;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;

public class BoundClockTest {
  private static final String HOURS = "{'fn': 'FLOOR', 'millis': 3600000, 'offset': 0}";
  private static final String HOURS_UP = "{'fn': 'CEIL', 'millis': 3600000, 'offset': 0}";

  private static BoundClock clock(String... steps) {
    return BoundClock.read(("[" + String.join(", ", steps) + "]").replace('\'', '"'));
  }

  private static String calendar(String function, String unit) {
    return "{'fn': '" + function + "', 'unit': '" + unit + "'}";
  }

  private static String shift(long millis) {
    return "{'fn': 'SHIFT', 'millis': " + millis + "}";
  }

  private static void forward(String bound, String expected, String... steps) {
    assertEquals(Instant.parse(expected).toString(), Instant.ofEpochMilli(clock(steps).forward(Instant.parse(bound).toEpochMilli())).toString());
  }

  @Test public void boundsGoForward() {
    forward("2006-09-11T12:05:00Z", "2006-09-11T12:05:00Z");
    forward("2006-09-11T12:05:00Z", "2006-09-11T12:06:00Z", shift(60_000));
    forward("2006-09-11T12:05:00Z", "2006-09-11T12:00:00Z", HOURS);
    forward("2006-09-11T12:00:00Z", "2006-09-11T12:00:00Z", HOURS);
    forward("1969-12-31T23:30:00Z", "1969-12-31T23:00:00Z", HOURS);
    forward("2006-09-11T12:05:00Z", "2006-09-11T11:20:00Z", "{'fn': 'FLOOR', 'millis': 3600000, 'offset': 1200000}");
    forward("2006-09-11T12:05:00Z", "2006-09-11T13:00:00Z", HOURS_UP);
    forward("2006-09-11T12:00:00Z", "2006-09-11T12:00:00Z", HOURS_UP);
    forward("2006-09-11T12:05:00Z", "2006-09-01T00:00:00Z", calendar("FLOOR", "MONTH"));
    forward("2006-12-11T12:05:00Z", "2007-01-01T00:00:00Z", calendar("CEIL", "MONTH"));
    forward("2006-09-11T12:05:00Z", "2006-07-01T00:00:00Z", calendar("FLOOR", "QUARTER"));
    forward("2006-11-11T12:05:00Z", "2007-01-01T00:00:00Z", calendar("CEIL", "QUARTER"));
    forward("2006-01-01T00:00:00Z", "2006-01-01T00:00:00Z", calendar("CEIL", "YEAR"));
    forward("2006-09-11T12:05:00Z", "2000-01-01T00:00:00Z", calendar("FLOOR", "DECADE"));
    forward("2006-09-11T12:05:00Z", "2010-01-01T00:00:00Z", calendar("CEIL", "DECADE"));
    // Centuries and millennia begin with year 1, decades with year 0.
    forward("2000-09-11T12:05:00Z", "1901-01-01T00:00:00Z", calendar("FLOOR", "CENTURY"));
    forward("2000-09-11T12:05:00Z", "2001-01-01T00:00:00Z", calendar("CEIL", "CENTURY"));
    forward("2000-09-11T12:05:00Z", "1001-01-01T00:00:00Z", calendar("FLOOR", "MILLENNIUM"));
    forward("2006-09-11T12:05:00Z", "2006-09-11T13:00:00Z", HOURS, shift(3_600_000));
    forward("2006-09-30T23:05:00Z", "2006-10-01T00:00:00Z", shift(3_600_000), calendar("FLOOR", "MONTH"));
    // On 27 October 2024, clocks in Berlin show 02:00 to 03:00 twice.
    forward("2024-10-27T00:30:00Z", "2024-10-27T02:00:00Z", "{'fn': 'LOCAL', 'zone': 'Europe/Berlin'}");
    forward("2024-06-02T00:30:00Z", "2024-06-02T02:00:00Z", "{'fn': 'LOCAL', 'zone': 'Europe/Berlin'}", HOURS);
  }

  @Test public void boundsStayInTheYearsOfRowtime() {
    forward("0005-09-11T12:05:00Z", "0001-01-01T00:00:00Z", calendar("FLOOR", "DECADE"));
    forward("9999-09-11T12:05:00Z", "9999-12-31T23:59:59.999Z", calendar("CEIL", "CENTURY"));
    forward("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z", shift(-5));
  }

  @Test public void aTimeIsReachedByTheLeastBound() {
    Random random = new Random(3);
    String[] units = {"MONTH", "QUARTER", "YEAR", "DECADE", "CENTURY"};
    for (int run = 0; run < 20_000; run++) {
      List<String> steps = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        String function = random.nextBoolean() ? "FLOOR" : "CEIL";
        long size = List.of(1L, 7L, 1000L, 3_600_000L, 604_800_000L).get(random.nextInt(5));
        steps.add(switch (random.nextInt(4)) {
          case 0 -> shift(random.nextInt(2_000_000_000) - 1_000_000_000);
          case 1 -> calendar(function, units[random.nextInt(units.length)]);
          case 2 -> "{'fn': 'LOCAL', 'zone': 'Europe/Berlin'}";
          default -> "{'fn': '" + function + "', 'millis': " + size + ", 'offset': " + random.nextInt((int) size) + "}";
        });
      }
      BoundClock clock = clock(steps.toArray(new String[0]));
      long time = (random.nextInt() * 1000L + random.nextInt(1000)) * 1000;
      long least = clock.reaches(time);
      String what = steps + " at " + time;
      assertEquals(what, 0, least % 1000);
      assertTrue(what, clock.at(least) >= time);
      assertTrue(what, clock.at(least - 1000) < time);
      assertEquals(what, least + BoundClock.ORIGIN, clock.fromWatermark().reaches(time));
    }
  }

  @Test public void whatIsNoClockIsRefused() {
    for (String text : List.of("[", "[5]", "[{'fn': 'TURN', 'millis': 5}]", "[{'fn': 'FLOOR'}]", "[{'fn': 'CEIL', 'unit': 'FORTNIGHT'}]", "[{'fn': 'LOCAL'}]")) {
      assertThrows(text, InvalidSpecException.class, () -> BoundClock.read(text.replace('\'', '"')));
    }
  }
}
