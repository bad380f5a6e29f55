package io.rowtime.functions;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
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
  /** A search that takes no more steps than this, whatever the text is, needs no check. */
  private static final double FEW_STEPS = MAX_STEPS / 10.0;
  private static final String REPEATED = "*+?{";
  /** The end of a text as an expression: with a line end after the text, only the second is there too. */
  private static final Pattern VERY_END = Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\z");
  private static final int SHOWN = 100;

  /**
   * An expression.
   *
   * @param compiled null if it needs no check, or is not valid
   * @param unchecked the number of bytes of a text up to which no check is needed; -1 for none
   */
  private record Search(Pattern compiled, int unchecked) {
    static Search of(String regex, String flags) {
      int unchecked = BoundedSearch.unchecked(regex);
      return new Search(unchecked == Integer.MAX_VALUE ? null : compile(regex, flags), unchecked);
    }
  }

  private static final LastPattern<Search> SEARCHES = new LastPattern<>(Search::of);

  private BoundedSearch() {}

  /**
   * Returns the text.
   *
   * @param flags of the function: {@code i} ignores case, {@code n} lets a point match a line end, {@code m} matches by
   *     line; {@code c} and {@code s} end the first two; others are for the function itself
   * @param position the position from 1 at which the search begins
   * @param function the name of the function
   * @throws IllegalStateException if a search for all matches takes too many steps
   */
  public static UTF8String checked(UTF8String text, UTF8String regex, UTF8String flags, int position, UTF8String function) {
    return checked(text, regex, flags, position, function, MAX_STEPS);
  }

  static UTF8String checked(UTF8String text, UTF8String regex, UTF8String flags, int position, UTF8String function, long maxSteps) {
    Search search = SEARCHES.of(regex, flags);
    if (search.compiled != null && text.numBytes() > search.unchecked) {
      String whole = text.toString();
      try {
        search(search.compiled, whole.substring(Math.max(0, Math.min(position - 1, whole.length()))), maxSteps);
      } catch (StoppableText.TooManySteps e) {
        throw tooManySteps(function.toString(), regex.toString(), maxSteps, whole.length(), e);
      } catch (StackOverflowError e) {
        // The function itself reports that the text is too long for the expression.
      }
    }
    return text;
  }

  static IllegalStateException tooManySteps(String function, String regex, long maxSteps, int length, Throwable cause) {
    return new IllegalStateException(function + " cannot be computed: the pattern '" + shorten(regex) + "' takes more than "
        + maxSteps + " steps in a text of " + length + " characters; repetitions within repetitions take exponentially many", cause);
  }

  static String shorten(String regex) {
    return regex.length() <= SHOWN ? regex : regex.substring(0, SHOWN) + "…";
  }

  /** Looks at all matches; the functions look at all or at the first ones. */
  private static void search(Pattern compiled, String text, long maxSteps) {
    // Many ways can lead to the end of a text, where nothing is read, so nothing would be counted. So the text goes on.
    Matcher matcher = compiled.matcher(new StoppableText(text + "\n", maxSteps)).useAnchoringBounds(false).useTransparentBounds(true);
    int at = 0;
    while (at <= text.length()) {
      matcher.region(at, text.length() + 1);
      at = matcher.lookingAt() && matcher.end() > at ? matcher.end() : at + 1;
    }
  }

  /** Returns the compiled expression; null if it is not valid, which the function reports. */
  private static Pattern compile(String regex, String flags) {
    int how = 0;
    for (int i = 0; i < flags.length(); i++) {
      how = switch (flags.charAt(i)) {
        case 'i' -> how | Pattern.CASE_INSENSITIVE;
        case 'c' -> how & ~Pattern.CASE_INSENSITIVE;
        case 'n' -> how | Pattern.DOTALL;
        case 's' -> how & ~Pattern.DOTALL;
        case 'm' -> how | Pattern.MULTILINE;
        default -> how;
      };
    }
    try {
      return Pattern.compile(VERY_END.matcher(regex).replaceAll("$1\\\\Z"), how);
    } catch (PatternSyntaxException e) {
      return null;
    }
  }

  /**
   * Returns the length of the longest text in which any search takes few steps: {@code r} repetitions and {@code a}
   * alternatives have at most n<sup>r</sup>2<sup>a</sup> ways from each of n places. It is -1 if groups or back
   * references are repeated, which may have more.
   */
  private static int unchecked(String regex) {
    int repetitions = 0;
    int choices = 0;
    for (int i = 0; i < regex.length(); i++) {
      char c = regex.charAt(i);
      if (REPEATED.indexOf(c) >= 0) {
        boolean opens = i > 0 && regex.charAt(i - 1) == '(';
        if (i > 0 && regex.charAt(i - 1) == ')') {
          return -1;
        }
        repetitions += opens ? 0 : 1;
      } else if (c == '|') {
        choices++;
      } else if (c == '\\' && i + 1 < regex.length() && "123456789k".indexOf(regex.charAt(i + 1)) >= 0) {
        return -1;
      }
    }
    if (repetitions == 0 && choices == 0) {
      return Integer.MAX_VALUE;
    }
    double most = Math.pow(FEW_STEPS / Math.pow(2, choices) / (regex.length() + 1), 1.0 / (repetitions + 1));
    return most > Integer.MAX_VALUE ? Integer.MAX_VALUE : (int) most - 1;
  }
}
