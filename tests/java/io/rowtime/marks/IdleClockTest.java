package io.rowtime.marks;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** When the system clock advances the bound of a source, and to which bound. */
public class IdleClockTest {
  @Test public void withoutAnyRowItIsTheClockLessTheTimeout() {
    IdleClock clock = new IdleClock(30, 1000, -1, null);
    assertNull(clock.bound(1029, 1029));
    assertEquals(Long.valueOf(1000), clock.bound(1030, 1030));
    assertEquals(Long.valueOf(1470), clock.bound(1500, 1500));
  }

  @Test public void theLastBoundMovesOnWithTheClock() {
    IdleClock clock = new IdleClock(30, 1000, 4, 200L);
    assertNull(clock.bound(1029, 1029));
    assertEquals(Long.valueOf(200), clock.bound(1030, 1030));
    assertEquals(Long.valueOf(270), clock.bound(1100, 1100));
  }

  @Test public void rowsEndTheQuiet() {
    IdleClock clock = new IdleClock(30, 1000, -1, null);
    assertFalse(clock.isNews(-1));
    assertTrue(clock.isNews(0));
    clock.rowsCame(1040, 0, 500L);
    assertFalse(clock.isNews(0));
    assertNull(clock.bound(1069, 1069));
    assertEquals(Long.valueOf(510), clock.bound(1080, 1080));
  }

  @Test public void aClockThatIsSetEndsNoQuietAndMovesNoBound() {
    IdleClock clock = new IdleClock(30, 1000, 4, 200L);
    assertNull(clock.bound(1029, 99_999));
    assertEquals(Long.valueOf(270), clock.bound(1100, 5));
  }
}
