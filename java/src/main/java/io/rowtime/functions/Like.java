package io.rowtime.functions;

import java.util.Arrays;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * LIKE of standard SQL. Spark's uses a regular expression, which tries all ways to divide a text between the {@code %}
 * of a pattern. Here, the time is at most that for a comparison of the pattern at each place of the text.
 */
public final class Like {
  private static final int ANY_TEXT = -1;
  private static final int ANY_CHARACTER = -2;

  /** The last pattern, which is usually the next one too. */
  private record Last(UTF8String pattern, UTF8String escape, int[] parts) {}

  private static final ThreadLocal<Last> LAST = new ThreadLocal<>();

  private Like() {}

  /**
   * Returns whether a text matches a pattern.
   *
   * @param escape one character, or empty for none
   * @throws IllegalArgumentException if the pattern has its escape character before a character that needs none
   */
  public static boolean matches(UTF8String text, UTF8String pattern, UTF8String escape) {
    return matches(text.toString(), compiled(pattern, escape));
  }

  /** Returns whether a text matches a pattern of ILIKE, which ignores the case of ASCII letters; see {@link #matches}. */
  public static boolean matchesIgnoringCase(UTF8String text, UTF8String pattern, UTF8String escape) {
    return matches(inLowerCase(text.toString()), compiled(UTF8String.fromString(inLowerCase(pattern.toString())),
        UTF8String.fromString(inLowerCase(escape.toString()))));
  }

  private static String inLowerCase(String text) {
    StringBuilder lower = new StringBuilder(text);
    for (int i = 0; i < lower.length(); i++) {
      char c = lower.charAt(i);
      if (c >= 'A' && c <= 'Z') {
        lower.setCharAt(i, (char) (c - 'A' + 'a'));
      }
    }
    return lower.toString();
  }

  private static int[] compiled(UTF8String pattern, UTF8String escape) {
    Last last = LAST.get();
    if (last == null || !last.pattern.equals(pattern) || !last.escape.equals(escape)) {
      last = new Last(pattern.copy(), escape.copy(), parts(pattern.toString(), escape.toString()));
      LAST.set(last);
    }
    return last.parts;
  }

  private static boolean matches(String text, int[] parts) {
    int at = 0;
    int part = 0;
    // After the latest %, and the place of the text where the rest is tried. To move an earlier % cannot help.
    int resumePart = -1;
    int resumeAt = 0;
    while (at < text.length()) {
      int wanted = part < parts.length ? parts[part] : 0;
      if (part < parts.length && wanted == ANY_TEXT) {
        resumePart = ++part;
        resumeAt = at;
        continue;
      }
      int character = text.codePointAt(at);
      if (part < parts.length && (wanted == ANY_CHARACTER || wanted == character)) {
        at += Character.charCount(character);
        part++;
      } else if (resumePart >= 0) {
        resumeAt += Character.charCount(text.codePointAt(resumeAt));
        at = resumeAt;
        part = resumePart;
      } else {
        return false;
      }
    }
    while (part < parts.length && parts[part] == ANY_TEXT) {
      part++;
    }
    return part == parts.length;
  }

  /** Returns a pattern as code points, ANY_TEXT and ANY_CHARACTER. */
  private static int[] parts(String pattern, String escape) {
    int[] characters = pattern.codePoints().toArray();
    if (escape.codePointCount(0, escape.length()) > 1) {
      throw new IllegalArgumentException("The ESCAPE of a LIKE must be one character, not '" + escape + "'");
    }
    int escaping = escape.isEmpty() ? ANY_TEXT : escape.codePointAt(0);
    int count = 0;
    for (int i = 0; i < characters.length; i++) {
      int c = characters[i];
      if (c == escaping) {
        if (++i == characters.length || characters[i] != '%' && characters[i] != '_' && characters[i] != escaping) {
          throw new IllegalArgumentException("The LIKE pattern '" + pattern + "' has its escape character '" + escape
              + "' before neither %, _ nor another one");
        }
        characters[count++] = characters[i];
      } else if (c != '%') {
        characters[count++] = c == '_' ? ANY_CHARACTER : c;
      } else if (count == 0 || characters[count - 1] != ANY_TEXT) {
        characters[count++] = ANY_TEXT;
      }
    }
    return Arrays.copyOf(characters, count);
  }
}
