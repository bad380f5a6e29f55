package io.rowtime.functions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Random;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.SqlFunctions;
import org.apache.spark.sql.catalyst.util.StringUtils;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.Test;

/** LIKE by the rules of standard SQL. */
public final class LikeTest {
  @Test public void standsForWhatTheStandardSays() {
    assertTrue(like("abc", "a%", ""));
    assertTrue(like("abc", "%", ""));
    assertTrue(like("", "%%", ""));
    assertFalse(like("", "_", ""));
    assertFalse("the whole text has to match", like("abcd", "abc", ""));
    assertTrue("a line end is a character", like("a\nc", "a_c", ""));
    assertTrue("so is one beyond the BMP", like("a\ud83d\ude00c", "a_c", ""));
    assertTrue(like("mississippi", "m%iss%_ip%i", ""));
    assertFalse(like("mississippi", "m%iss%_ip%s", ""));
  }

  @Test public void escapesWithTheCharacterThatIsNamed() {
    assertTrue(like("a%", "a!%", "!"));
    assertFalse(like("ab", "a!%", "!"));
    assertTrue(like("a!", "a!!", "!"));
    assertFalse("the backslash is no escape by itself", like("a%", "a\\%", ""));
    assertTrue("a character beyond the BMP", like("a%", "a\ud83d\ude00%", "\ud83d\ude00"));
    for (String pattern : new String[] {"a!", "a!b"}) {
      Exception fault = assertThrows(IllegalArgumentException.class, () -> like("a", pattern, "!"));
      assertEquals("The LIKE pattern '" + pattern + "' has its escape character '!' before neither %, _ nor another one",
          fault.getMessage());
    }
    assertThrows(IllegalArgumentException.class, () -> like("a", "a", "!!"));
  }

  @Test public void ignoresTheCaseOfAsciiLetters() {
    assertTrue(ilike("aBc\u00e4", "AbC\u00e4", ""));
    assertFalse(ilike("\u00e4", "\u00c4", ""));
    assertTrue(ilike("xaXABb\n", "%XAb_\n", ""));
    assertTrue("an ESCAPE is one case of a letter", ilike("xa%", "Xax%", "x"));
  }

  /** Spark's pattern of LIKE is one of Java's, which tries all ways. */
  @Test public void agreesWithSpark() {
    Random chance = new Random(7);
    for (int i = 0; i < 60_000; i++) {
      String text = RandomTexts.next(chance, "ab\n\u00e4\u20ac\ud83d\ude00.\\");
      String pattern = RandomTexts.next(chance, "aab\n\u00e4\u20ac\ud83d\ude00.\\%%%__");
      Pattern expected = Pattern.compile(StringUtils.escapeLikeRegex(pattern.replace("\\", "\\\\"), '\\'));
      assertEquals("'" + text + "' LIKE '" + pattern + "'", expected.matcher(text).matches(), like(text, pattern, ""));
    }
  }

  @Test public void agreesWithSparkAboutEscapes() {
    Random chance = new Random(8);
    int compared = 0;
    for (int i = 0; i < 40_000; i++) {
      String text = RandomTexts.next(chance, "ab!%_");
      String pattern = RandomTexts.next(chance, "ab!!%_");
      Pattern expected;
      try {
        expected = Pattern.compile(StringUtils.escapeLikeRegex(pattern, '!'));
      } catch (Exception malformed) {
        assertThrows(pattern, IllegalArgumentException.class, () -> like(text, pattern, "!"));
        continue;
      }
      compared++;
      assertEquals("'" + text + "' LIKE '" + pattern + "'", expected.matcher(text).matches(), like(text, pattern, "!"));
    }
    assertTrue("" + compared, compared > 10_000);
  }

  @Test public void agreesWithCalciteAboutCase() {
    Random chance = new Random(9);
    SqlFunctions.LikeFunction expected = new SqlFunctions.LikeFunction();
    for (int i = 0; i < 40_000; i++) {
      String text = RandomTexts.next(chance, "abAB\u00e4\u00c4\u212a[@");
      String pattern = RandomTexts.next(chance, "abABk\u00e4\u00c4[@%%__");
      assertEquals("'" + text + "' ILIKE '" + pattern + "'", expected.ilike(text, pattern), ilike(text, pattern, ""));
    }
  }

  /** Long repetitive parts are found in time in proportion to the text, and others at most compared at each place. */
  @Test(timeout = 20_000) public void takesNoLongerForMoreWildcards() {
    String text = "a".repeat(200_000);
    assertFalse(like(text, "%a".repeat(50) + "%b", ""));
    assertFalse(like(text, "%" + "a".repeat(100_000) + "b%", ""));
    assertFalse(like(text, "%" + "_a".repeat(500) + "_b%", ""));
    assertTrue(like(text, "_".repeat(200_000), ""));
    assertFalse(like(text, "%_".repeat(100_001) + "_".repeat(100_000), ""));
  }

  @Test(timeout = 20_000) public void endsIfItsThreadIsInterrupted() {
    String text = "a".repeat(4_000_000);
    Thread.currentThread().interrupt();
    try {
      assertThrows(IllegalStateException.class, () -> like(text, "%" + "_a".repeat(1_000_000) + "_b%", ""));
    } finally {
      assertTrue(Thread.interrupted());
    }
  }

  private static boolean like(String text, String pattern, String escape) {
    return Like.matches(UTF8String.fromString(text), UTF8String.fromString(pattern), UTF8String.fromString(escape));
  }

  private static boolean ilike(String text, String pattern, String escape) {
    return Like.matchesIgnoringCase(UTF8String.fromString(text), UTF8String.fromString(pattern), UTF8String.fromString(escape));
  }
}
