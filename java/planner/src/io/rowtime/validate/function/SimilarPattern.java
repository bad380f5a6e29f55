package io.rowtime.validate.function;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;

/**
 * A pattern of SIMILAR TO in standard SQL. Calcite's implementation wrongly treats a dot as any character. Rows come from
 * anyone, so no text may take long: RE2/J matches in time in proportion to the text, whatever the pattern is. Java's
 * matcher tries all ways, and is faster where there are few.
 */
public final class SimilarPattern {
  private static final Map<String, String> CLASSES = Map.of("ALPHA", "a-zA-Z", "UPPER", "A-Z", "LOWER", "a-z", "DIGIT", "0-9",
      "ALNUM", "a-zA-Z0-9", "SPACE", " ", "WHITESPACE", " \\t\\n\\x0B\\f\\r");
  private static final String SPECIAL = "\\.^$&~#-[]{}()*+?|";
  private static final String REPEATED = "*+?";
  private static final double FEW_WAYS = 1_000_000;
  private static final int FEW_ALTERNATIVES = 10;
  /** Java's matcher has a level of the stack for each part of a pattern. */
  private static final int MAX_LENGTH_OF_JAVA = 1_000;
  /** The size of a pattern whose repetitions are written out, in characters. Time and memory are in proportion to it. */
  private static final int MAX_SIZE = 10_000;
  private static final int MAX_REPETITIONS = 1_000;
  private static final int MAX_DEPTH = 200;
  private static final int SHOWN = 200;

  private final String pattern;
  private final String escape;
  private final StringBuilder out = new StringBuilder();
  /** The sizes of the parts up to here: outside of parentheses, and in each that is open. */
  private final Deque<Long> sizes = new ArrayDeque<>();
  private long last;
  private int at;
  private int repetitions;
  private int alternatives;
  private boolean repeatsGroup;
  /** Whether alternatives may be empty. A matcher that reads nothing there cannot count its steps. */
  private boolean repeatsWithin;

  private SimilarPattern(String pattern, String escape) {
    if (escape.codePointCount(0, escape.length()) > 1) {
      throw new IllegalArgumentException("The ESCAPE of a SIMILAR TO must be one character, not '" + escape + "'");
    }
    this.pattern = pattern;
    this.escape = escape;
  }

  /**
   * Two matchers of whole texts, which agree. Any thread may use them.
   *
   * @param fast tries all ways to match, and usually needs few
   * @param fewWays the length of the longest text that has few ways, whatever it contains
   * @param mayRepeat whether {@code fast} may be tried with longer texts, in a limited number of steps
   * @param mayRepeatLong whether it may be tried with texts of any length; it has a level of the stack for each time that
   *     a group is repeated
   * @param linear takes time in proportion to the text
   */
  public record Matchers(java.util.regex.Pattern fast, int fewWays, boolean mayRepeat, boolean mayRepeatLong, Pattern linear) {}

  /**
   * Returns the matchers of a pattern.
   *
   * @param escape one character, or empty for none
   * @throws IllegalArgumentException if the pattern is malformed
   */
  public static Matchers compile(String pattern, String escape) {
    SimilarPattern read = new SimilarPattern(pattern, escape);
    String regex = read.regex();
    try {
      Pattern linear = Pattern.compile(regex, Pattern.DOTALL);
      boolean isShort = regex.length() <= MAX_LENGTH_OF_JAVA;
      boolean mayRepeat = isShort && (read.alternatives <= FEW_ALTERNATIVES || !read.repeatsWithin);
      return new Matchers(java.util.regex.Pattern.compile(regex, java.util.regex.Pattern.DOTALL), isShort ? read.fewWays() : -1,
          mayRepeat, mayRepeat && !read.repeatsGroup, linear);
    } catch (PatternSyntaxException | java.util.regex.PatternSyntaxException e) {
      throw read.malformed("has a repetition, a range or a parenthesis that is not well-formed");
    }
  }

  /** A text of n characters has at most n<sup>r</sup>2<sup>a</sup> ways, for r repetitions and a alternatives. */
  private int fewWays() {
    double ways = FEW_WAYS / Math.pow(2, alternatives);
    if (repeatsGroup || ways < 1) {
      return -1;
    }
    return repetitions <= 1 && alternatives <= FEW_ALTERNATIVES ? Integer.MAX_VALUE : (int) Math.pow(ways, 1.0 / Math.max(repetitions, 1)) - 1;
  }

  private String regex() {
    sizes.push(0L);
    while (at < pattern.length()) {
      if (isEscape()) {
        escaped();
        add(1);
        continue;
      }
      char c = pattern.charAt(at++);
      if (c == '%') {
        out.append(".*");
        add(1);
        repetitions++;
        repeatsWithin |= sizes.size() > 1;
      } else if (c == '_') {
        out.append('.');
        add(1);
      } else if (c == '[') {
        bracket();
        add(1);
      } else if (c == '(') {
        open();
      } else if (c == ')') {
        close();
      } else if (c == '{') {
        repetition();
      } else if (c == '|') {
        repeatsWithin |= out.length() == 0 || "|:".indexOf(out.charAt(out.length() - 1)) >= 0;
        out.append(c);
        alternatives++;
      } else if (REPEATED.indexOf(c) >= 0) {
        repeat();
        out.append(c);
      } else {
        literal(c);
        add(1);
      }
    }
    if (pattern.endsWith("%") && repetitions > 0) {
      // What ends in any text matches there at once.
      repetitions--;
    }
    return out.toString();
  }

  private void repeat() {
    repetitions++;
    repeatsWithin |= sizes.size() > 1;
    repeatsGroup |= out.length() > 0 && out.charAt(out.length() - 1) == ')';
  }

  private void open() {
    if (pattern.startsWith("?", at) || sizes.size() > MAX_DEPTH) {
      throw malformed(pattern.startsWith("?", at) ? "has a question mark that repeats nothing" : "is nested too deeply");
    }
    sizes.push(0L);
    last = 0;
    out.append("(?:");
  }

  private void close() {
    repeatsWithin |= out.charAt(out.length() - 1) == '|';
    if (sizes.size() == 1) {
      throw malformed("has a closing parenthesis without an opening one");
    }
    out.append(')');
    add(sizes.pop() + 1);
  }

  /** Reads a repetition <code>{n}</code>, <code>{n,}</code> or <code>{n,m}</code>. */
  private void repetition() {
    int end = pattern.indexOf('}', at);
    String text = end < 0 ? "" : pattern.substring(at, end);
    String[] limits = text.split(",", 2);
    if (!isNumber(limits[0]) || limits.length == 2 && !limits[1].isEmpty() && !isNumber(limits[1])) {
      throw malformed("has a repetition that is not well-formed");
    }
    int most = Math.max(Integer.parseInt(limits[0]), limits.length == 2 && !limits[1].isEmpty() ? Integer.parseInt(limits[1]) : 0);
    if (most > MAX_REPETITIONS) {
      throw malformed("repeats something more than " + MAX_REPETITIONS + " times");
    }
    repeat();
    long before = last;
    add(before * most);
    last = before * (most + 1);
    out.append('{').append(text).append('}');
    at = end + 1;
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty() && text.length() <= 6 && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** Counts the part that ends here. */
  private void add(long size) {
    last = size;
    long total = sizes.pop() + size;
    if (total > MAX_SIZE) {
      throw malformed("has more than " + MAX_SIZE + " characters when its repetitions are written out");
    }
    sizes.push(total);
  }

  private boolean isEscape() {
    return !escape.isEmpty() && pattern.startsWith(escape, at);
  }

  /** Reads the escape character, and the character after it, which stands for itself. */
  private void escaped() {
    at += escape.length();
    if (at == pattern.length()) {
      throw malformed("ends in its escape character");
    }
    literal(pattern.charAt(at++));
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
      if (isEscape()) {
        escaped();
        continue;
      }
      char c = pattern.charAt(at++);
      if (c == '-') {
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
    out.append(SPECIAL.indexOf(c) >= 0 ? "\\" + c : String.valueOf(c));
  }

  private IllegalArgumentException malformed(String why) {
    String shown = pattern.length() <= SHOWN ? pattern : pattern.substring(0, SHOWN) + "…";
    return new IllegalArgumentException("The SIMILAR TO pattern '" + shown + "' " + why);
  }
}
