package io.rowtime.functions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

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
  }

  @Test public void saysWhatIsWrong() {
    Exception fault = assertThrows(IllegalArgumentException.class, () -> similar("a", "[a", ""));
    assertEquals("The SIMILAR TO pattern '[a' has an unclosed bracket", fault.getMessage());
    assertThrows(IllegalArgumentException.class, () -> similar("a", "a!", "!"));
    assertThrows(IllegalArgumentException.class, () -> similar("a", "[[:NONE:]]", ""));
    assertThrows(IllegalArgumentException.class, () -> similar("a", "a", "!!"));
  }

  private static boolean similar(String text, String pattern, String escape) {
    return Similar.matches(UTF8String.fromString(text), UTF8String.fromString(pattern), UTF8String.fromString(escape));
  }
}
