package io.rowtime.records;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.Test;

public class InstantsTest {
  private static void same(String iso, String text) {
    assertEquals(text, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(iso)), Instants.micros(text));
  }

  @Test public void readsWhatPeopleWrite() {
    same("2015-02-15T10:17:05Z", "2015-02-15 10:17:05");
    same("2015-02-15T10:17:05Z", "2015-02-15T10:17:05Z");
    same("2015-02-15T10:17:05.120Z", "2015-02-15t10:17:05.12z");
    same("2015-02-15T10:17:05.123456Z", "2015-02-15 10:17:05.123456789");
    same("2015-02-15T09:17:00Z", "2015-02-15T10:17+01:00");
    same("2015-02-15T15:47:00Z", "2015-02-15 10:17:00 -0530");
    same("2015-02-15T00:00:00Z", "2015-02-15");
    same("1969-12-31T23:59:59.999Z", "1969-12-31 23:59:59.999");
    same("2015-02-15T10:17:05.250Z", "1423995425250");
  }

  @Test public void refusesWhatIsNone() {
    for (String text : new String[] {"", "noon", "2015-02-30", "2015-02-15 24:00:00", "2015-02-15 10", "2015-02-15 10:60",
        "2015-02-15 10:17:05.", "2015-02-15 10:17:05 CET", "2015/02/15 10:17:05", "20150215", "10:17:05",
        "2015-02-15 10:17:05+1", "2015-02-15T10:17:05ZZ"}) {
      assertThrows(text, RuntimeException.class, () -> Instants.micros(text));
    }
  }
}
