package io.rowtime.functions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import org.apache.spark.unsafe.types.UTF8String;
import org.junit.Test;

/** Searches whose steps are counted in advance. */
public final class BoundedSearchTest {
  @Test public void returnsTheText() {
    for (String regex : new String[] {"a", "a+", "(a|b)*", "", "(", "^$"}) {
      assertEquals("aab", checked("aab", regex, "", 1));
    }
    assertEquals("", checked("", "a*", "", 7));
  }

  @Test(timeout = 60_000) public void endsASearchThatTakesTooLong() {
    String text = "x" + "a".repeat(60);
    for (String regex : new String[] {"(a+)+b\\1", "(a|a){40}b", "(a+){20}b", "a*a*a*a*a*a*a*a*a*a*a*b"}) {
      Exception fault = assertThrows(regex, IllegalStateException.class, () -> checked(text, regex, "", 1));
      assertEquals("RLIKE cannot be computed: the pattern '" + regex + "' takes more than 100000000 steps in a text of 61 "
          + "characters; repetitions within repetitions take exponentially many", fault.getMessage());
    }
    // Without alternatives that are repeated, a pattern is as long as its ways are many.
    assertThrows(IllegalStateException.class, () -> checked(text, "(a|a)".repeat(40) + "b", "", 1));
    // Nothing is read at the end of a text.
    String ways = "(a?|b?)".repeat(40) + "(?=x)";
    for (String regex : new String[] {ways, "$" + ways, "\\z" + ways}) {
      assertThrows(regex, IllegalStateException.class, () -> checked("", regex, "", 1));
      assertThrows(regex, IllegalStateException.class, () -> checked("c", regex, "", 1));
    }
    // The flags and the position count.
    assertEquals(text, checked(text, "(A+)+B\\1", "", 1));
    assertThrows(IllegalStateException.class, () -> checked(text, "(A+)+B\\1", "ci", 1));
    assertEquals(text, checked(text, "(A+)+B\\1", "ic", 1));
    assertEquals(text, checked(text, "x.*|(a+)+b\\1", "", 1));
    assertThrows(IllegalStateException.class, () -> checked(text, "x.*|(a+)+b\\1", "", 2));
  }

  @Test public void takesLongTexts() {
    String text = "ab".repeat(500_000);
    assertTrue(checked(text, "(ab)(?=a)", "", 1).length() == 1_000_000);
    assertTrue(checked(text, "a.", "", 1).length() == 1_000_000);
    assertTrue(checked(text, "(ab|cd)*", "", 1).length() == 1_000_000);
    assertTrue(checked(text, "\\s*(a|b)+\\\\z", "", 1).length() == 1_000_000);
  }

  private static String checked(String text, String regex, String flags, int position) {
    return BoundedSearch.checked(UTF8String.fromString(text), UTF8String.fromString(regex), UTF8String.fromString(flags), position,
        UTF8String.fromString("RLIKE")).toString();
  }
}
