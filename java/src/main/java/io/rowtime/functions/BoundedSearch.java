package io.rowtime.functions;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.spark.TaskContext;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Checks that a search with a regular expression ends. The functions with regular expressions are Calcite's or Spark's,
 * and use Java's, which may try exponentially many ways to match a text (with back references, for example), and cannot
 * be interrupted. A search in advance, in the same text with the same expression, counts its steps: theirs then takes
 * about as many. Short texts need none for expressions that have few ways to match.
 */
public final class BoundedSearch {
  /** The number of steps, which take a second or a few. It is counted, so that a query has the same result everywhere. */
  static final long MAX_STEPS = 100_000_000;
  private static final int LOOK = 1 << 16;
  private static final String REPEATED = "*+?{";
  /** Up to this many repetitions in a text of this length, a search takes less than a second. */
  private static final int FEW_REPETITIONS = 2;
  private static final int SHORT = 1_000;
  private static final int SHOWN = 100;

  /**
   * The last expression, which is usually the next one too; without a compiled one, no check is needed.
   *
   * @param unchecked the number of characters of a text up to which no check is needed
   */
  private record Last(UTF8String regex, UTF8String flags, Pattern compiled, int unchecked) {}

  private static final ThreadLocal<Last> LAST = new ThreadLocal<>();

  private BoundedSearch() {}

  /**
   * Returns the text.
   *
   * @param flags of the function: {@code i} ignores case, {@code n} lets a point match a line end, {@code m} matches by
   *     line; others are for the function itself
   * @param position the position from 1 at which the search begins
   * @param function the name of the function
   * @throws IllegalStateException if a search for all matches takes too many steps
   */
  public static UTF8String checked(UTF8String text, UTF8String regex, UTF8String flags, int position, UTF8String function) {
    Last last = LAST.get();
    if (last == null || !last.regex.equals(regex) || !last.flags.equals(flags)) {
      last = new Last(regex.copy(), flags.copy(), compile(regex.toString(), flags.toString()),
          hasFewWays(regex.toString()) ? SHORT : 0);
      LAST.set(last);
    }
    if (last.compiled != null && text.numBytes() > last.unchecked) {
      Steps steps = new Steps(text.toString());
      Matcher matcher = last.compiled.matcher(steps);
      try {
        matcher.region(Math.max(0, Math.min(position - 1, steps.length())), steps.length());
        while (matcher.find()) {
          // The functions look at all matches, or at the first ones.
        }
      } catch (TooMany e) {
        String shown = regex.toString();
        throw new IllegalStateException(function + " cannot be computed: the pattern '"
            + (shown.length() <= SHOWN ? shown : shown.substring(0, SHOWN) + "…") + "' takes more than " + MAX_STEPS
            + " steps in a text of " + steps.length() + " characters; repetitions within repetitions take exponentially many", e);
      }
    }
    return text;
  }

  /** Returns the compiled expression; null if it needs no check, or if it is not valid, which the function reports. */
  private static Pattern compile(String regex, String flags) {
    if (regex.chars().noneMatch(c -> REPEATED.indexOf(c) >= 0)) {
      return null;
    }
    try {
      return Pattern.compile(regex, (flags.indexOf('i') >= 0 ? Pattern.CASE_INSENSITIVE : 0)
          | (flags.indexOf('n') >= 0 ? Pattern.DOTALL : 0) | (flags.indexOf('m') >= 0 ? Pattern.MULTILINE : 0));
    } catch (PatternSyntaxException e) {
      return null;
    }
  }

  /** Returns whether an expression repeats neither a group nor, with a back reference, what a group has matched. */
  private static boolean hasFewWays(String regex) {
    int repetitions = 0;
    for (int i = 0; i < regex.length(); i++) {
      char c = regex.charAt(i);
      if (REPEATED.indexOf(c) >= 0 && (++repetitions > FEW_REPETITIONS || i > 0 && regex.charAt(i - 1) == ')')) {
        return false;
      }
      if (c == '\\' && i + 1 < regex.length() && "123456789k".indexOf(regex.charAt(i + 1)) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** Thrown within a search to end it. */
  private static final class TooMany extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooMany() {
      super(null, null, false, false);
    }
  }

  /** A text that counts how often a character of it is read. */
  private static final class Steps implements CharSequence {
    private final String text;
    private long steps;

    Steps(String text) {
      this.text = text;
    }

    @Override public char charAt(int index) {
      if ((++steps & (LOOK - 1)) == 0) {
        look();
      }
      return text.charAt(index);
    }

    private void look() {
      TaskContext task = TaskContext.get();
      if (task != null) {
        task.killTaskIfInterrupted();
      }
      if (steps > MAX_STEPS) {
        throw new TooMany();
      }
    }

    @Override public int length() {
      return text.length();
    }

    @Override public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override public String toString() {
      return text;
    }
  }
}
