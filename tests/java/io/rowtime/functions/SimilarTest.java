package io.rowtime.functions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Random;
import java.util.regex.Pattern;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.Test;

/** SIMILAR TO by the rules of standard SQL. */
public final class SimilarTest {
  @Test public void standsForWhatTheStandardSays() {
    assertTrue(similar("abc", "a%", ""));
    assertTrue(similar("abc", "(a|b)_c", ""));
    assertTrue(similar("abc", "[[:ALPHA:]]{3}", ""));
    assertTrue(similar("a\nc", "a_c", ""));
    assertFalse("the point stands for itself", similar("abc", "a.c", ""));
    assertTrue(similar("a.c", "a.c", ""));
    assertFalse("the whole text has to match", similar("abcd", "abc", ""));
  }

  @Test public void escapesWithTheCharacterThatIsNamed() {
    assertTrue(similar("a_c", "a!_c", "!"));
    assertFalse(similar("abc", "a!_c", "!"));
    assertFalse("the backslash is no escape by itself", similar("a_c", "a\\_c", ""));
    assertTrue(similar("a]", "a[!]]", "!"));
    assertTrue("a character beyond the BMP", similar("a_", "a\ud83d\ude00_", "\ud83d\ude00"));
    assertTrue(similar("\ud83d\ude00", "_", ""));
    assertTrue(similar("\ud83d\ude00\ud83d\ude00", "\ud83d\ude00+", ""));
    assertTrue(similar("\ud83d\ude00", "[\ud83d\ude00-\ud83d\ude02]", ""));
  }

  @Test public void saysWhatIsWrong() {
    Exception fault = assertThrows(IllegalArgumentException.class, () -> similar("a", "[a", ""));
    assertEquals("The SIMILAR TO pattern '[a' has an unclosed bracket", fault.getMessage());
    assertThrows(IllegalArgumentException.class, () -> similar("a", "a!", "!"));
    assertThrows(IllegalArgumentException.class, () -> similar("a", "[[:NONE:]]", ""));
    assertThrows(IllegalArgumentException.class, () -> similar("a", "a", "!!"));
  }

  @Test public void repeats() {
    assertTrue(similar("aaa", "a{3}", ""));
    assertFalse(similar("aa", "a{3,}", ""));
    assertTrue(similar("abab", "(ab){1,2}", ""));
    assertTrue(similar("a{", "a!{", "!"));
    for (String pattern : new String[] {"a{", "a{x}", "a{,2}", "{2}", "a{1001}", "((a{100}){100}){100}", "(?i)a", "(a", "a)", "a**"}) {
      assertThrows(pattern, IllegalArgumentException.class, () -> similar("a", pattern, ""));
    }
  }

  @Test public void agreesWithRegularExpressions() {
    Random chance = new Random(7);
    int compared = 0;
    for (int i = 0; i < 20_000; i++) {
      String pattern = RandomTexts.next(chance, "aa\u20ac%_|()*+?");
      String text = RandomTexts.next(chance, "a\n\u20ac\ud83d\ude00");
      Pattern expected;
      try {
        expected = Pattern.compile(pattern.replace("%", ".*").replace('_', '.'), Pattern.DOTALL);
        similar(text, pattern, "");
      } catch (IllegalArgumentException malformed) {
        continue;
      }
      compared++;
      assertEquals("'" + text + "' SIMILAR TO '" + pattern + "'", expected.matcher(text).matches(), similar(text, pattern, ""));
    }
    assertTrue("" + compared, compared > 2_000);
  }

  /** A matcher that tries all ways would need years for each of these. */
  @Test(timeout = 20_000) public void takesTimeInProportionToTheText() {
    String text = "a".repeat(100_000);
    for (String pattern : new String[] {"((a+)+)+b", "(a|a)*b", "%a%a%a%a%a%b", "(a|b|_)*c", "a{0,500}b", "(a?){1000}b", "_".repeat(9_000)}) {
      assertFalse(pattern, similar(text, pattern, ""));
      assertFalse(pattern, similar("a".repeat(60), pattern, ""));
    }
    // Nothing is read at the end of a text, so steps there are not counted.
    assertFalse(similar("", "(a?|b?)".repeat(40) + "(c|d)", ""));
    assertTrue(similar("", "(|a|b)".repeat(40) + "c?", ""));
  }

  @Test(timeout = 20_000) public void endsIfItsThreadIsInterrupted() {
    Thread.currentThread().interrupt();
    try {
      assertThrows(IllegalStateException.class, () -> similar("a".repeat(10_000_000), "(a?){1000}b", ""));
    } finally {
      assertTrue(Thread.interrupted());
    }
  }

  private static boolean similar(String text, String pattern, String escape) {
    return Similar.matches(UTF8String.fromString(text), UTF8String.fromString(pattern), UTF8String.fromString(escape));
  }
}
