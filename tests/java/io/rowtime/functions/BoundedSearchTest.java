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

  @Test(timeout = 120_000) public void endsASearchThatTakesTooLong() {
    String text = "x" + "a".repeat(60);
    Exception fault = assertThrows(IllegalStateException.class, () -> checked(text, "(a+)+b\\1", "", 1));
    assertEquals("RLIKE cannot be computed: the pattern '(a+)+b\\1' takes more than 100000000 steps in a text of 61 characters; "
        + "repetitions within repetitions take exponentially many", fault.getMessage());
    for (String regex : new String[] {"(a|a){40}b", "(a+){20}b", "a*a*a*a*a*a*a*a*a*a*a*b", "(a|a)".repeat(40) + "b"}) {
      endsEarly(text, regex, "", 1);
    }
  }

  @Test(timeout = 120_000) public void countsStepsAtTheEndOfAText() {
    String ways = "(a?|b?)".repeat(40) + "(?=x)";
    for (String regex : new String[] {ways, "$" + ways, "\\z" + ways}) {
      endsEarly("", regex, "", 1);
      endsEarly("c", regex, "", 1);
    }
  }

  @Test(timeout = 120_000) public void searchesAsTheFunctionDoes() {
    String text = "x" + "a".repeat(60);
    assertEquals(text, checked(text, "(A+)+B\\1", "", 1));
    endsEarly(text, "(A+)+B\\1", "ci", 1);
    assertEquals(text, checked(text, "(A+)+B\\1", "ic", 1));
    assertEquals(text, checked(text, "x[^b]*|(a+)+b\\1", "", 1));
    endsEarly(text, "x[^b]*|(a+)+b\\1", "", 2);
    endsEarly(text, "^(a+)+b\\1", "", 2);
  }

  @Test public void takesLongTexts() {
    String text = "ab".repeat(500_000);
    assertTrue(checked(text, "(ab)(?=a)", "", 1).length() == 1_000_000);
    assertTrue(checked(text, "a.", "", 1).length() == 1_000_000);
    assertTrue(checked(text, "(ab|cd)*", "", 1).length() == 1_000_000);
    assertTrue(checked(text, "\\s*(a|b)+\\\\z", "", 1).length() == 1_000_000);
  }

  private static void endsEarly(String text, String regex, String flags, int position) {
    assertThrows(regex, IllegalStateException.class, () -> BoundedSearch.checked(UTF8String.fromString(text),
        UTF8String.fromString(regex), UTF8String.fromString(flags), position, UTF8String.fromString("RLIKE"), 1_000_000));
  }

  private static String checked(String text, String regex, String flags, int position) {
    return BoundedSearch.checked(UTF8String.fromString(text), UTF8String.fromString(regex), UTF8String.fromString(flags), position,
        UTF8String.fromString("RLIKE")).toString();
  }
}
