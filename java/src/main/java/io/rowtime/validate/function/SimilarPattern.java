package io.rowtime.validate.function;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** A pattern of SIMILAR TO in standard SQL. Calcite's implementation wrongly treats a dot as any character. */
public final class SimilarPattern {
  private static final Map<String, String> CLASSES = Map.of("ALPHA", "\\p{Alpha}", "UPPER", "\\p{Upper}", "LOWER", "\\p{Lower}",
      "DIGIT", "\\d", "ALNUM", "\\p{Alnum}", "SPACE", " ", "WHITESPACE", "\\s");
  private static final String JAVA_SPECIAL = "\\.^$&~#-[]{}()*+?|";
  private static final String SAME = "|*+?{}()";

  private final String pattern;
  private final char escape;
  private final boolean escapes;
  private final StringBuilder out = new StringBuilder();
  private int at;

  private SimilarPattern(String pattern, String escape) {
    if (escape.length() > 1) {
      throw new IllegalArgumentException("The ESCAPE of a SIMILAR TO must be one character, not '" + escape + "'");
    }
    this.pattern = pattern;
    this.escapes = !escape.isEmpty();
    this.escape = escapes ? escape.charAt(0) : 0;
  }

  /**
   * Returns the regular expression that the whole text must match.
   *
   * @param escape one character, or empty for none
   * @throws IllegalArgumentException if the pattern is malformed
   */
  public static Pattern compile(String pattern, String escape) {
    SimilarPattern read = new SimilarPattern(pattern, escape);
    String regex = read.regex();
    try {
      return Pattern.compile(regex, Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw read.malformed("has a repetition, a range or a parenthesis that is not well-formed");
    }
  }

  private String regex() {
    while (at < pattern.length()) {
      char c = pattern.charAt(at++);
      if (escapes && c == escape) {
        literal(escapedChar());
      } else if (c == '%') {
        out.append(".*");
      } else if (c == '_') {
        out.append('.');
      } else if (c == '[') {
        bracket();
      } else if (SAME.indexOf(c) >= 0) {
        out.append(c);
      } else {
        literal(c);
      }
    }
    return out.toString();
  }

  private char escapedChar() {
    if (at == pattern.length()) {
      throw malformed("ends in its escape character");
    }
    return pattern.charAt(at++);
  }

  private void bracket() {
    out.append('[');
    if (pattern.startsWith("^", at)) {
      out.append('^');
      at++;
    }
    while (at < pattern.length() && pattern.charAt(at) != ']') {
      if (pattern.startsWith("[:", at)) {
        int end = pattern.indexOf(":]", at);
        String known = end < 0 ? null : CLASSES.get(pattern.substring(at + 2, end).toUpperCase(Locale.ROOT));
        if (known == null) {
          throw malformed("has an unknown character class");
        }
        out.append(known);
        at = end + 2;
        continue;
      }
      char c = pattern.charAt(at++);
      if (escapes && c == escape) {
        literal(escapedChar());
      } else if (c == '-') {
        out.append('-');
      } else {
        literal(c);
      }
    }
    if (at == pattern.length()) {
      throw malformed("has an unclosed bracket");
    }
    at++;
    out.append(']');
  }

  private void literal(char c) {
    out.append(JAVA_SPECIAL.indexOf(c) >= 0 ? "\\" + c : String.valueOf(c));
  }

  private IllegalArgumentException malformed(String why) {
    return new IllegalArgumentException("The SIMILAR TO pattern '" + pattern + "' " + why);
  }
}
