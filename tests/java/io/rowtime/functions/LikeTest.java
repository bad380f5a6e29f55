package io.rowtime.functions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Random;
import java.util.regex.Pattern;
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
    for (String pattern : new String[] {"a!", "a!b"}) {
      Exception fault = assertThrows(IllegalArgumentException.class, () -> like("a", pattern, "!"));
      assertEquals("The LIKE pattern '" + pattern + "' has its escape character '!' before neither %, _ nor another one",
          fault.getMessage());
    }
    assertThrows(IllegalArgumentException.class, () -> like("a", "a", "!!"));
  }

  @Test public void agreesWithARegularExpression() {
    Random chance = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      String text = text(chance, "ab");
      String pattern = text(chance, "ab%_");
      boolean expected = Pattern.compile(pattern.replace("%", ".*").replace('_', '.')).matcher(text).matches();
      assertEquals("'" + text + "' LIKE '" + pattern + "'", expected, like(text, pattern, ""));
    }
  }

  @Test(timeout = 20_000) public void takesNoLongerForMoreWildcards() {
    assertFalse(like("a".repeat(200_000), "%a".repeat(50) + "%b", ""));
  }

  private static String text(Random chance, String characters) {
    StringBuilder text = new StringBuilder();
    for (int i = chance.nextInt(9); i > 0; i--) {
      text.append(characters.charAt(chance.nextInt(characters.length())));
    }
    return text.toString();
  }

  private static boolean like(String text, String pattern, String escape) {
    return Like.matches(UTF8String.fromString(text), UTF8String.fromString(pattern), UTF8String.fromString(escape));
  }
}
