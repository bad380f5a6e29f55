package io.rowtime.functions;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Checks that the regular expressions in a path of SQL/JSON end: {@code $.a[?(@.b =~ /x.*y/i)]}. The library that
 * evaluates paths matches whole values with Java's expressions, see {@link BoundedSearch}. Matching each value of the
 * document in advance counts the steps.
 */
public final class JsonPathPatterns {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String MATCHES = "=~";
  /** An expression on the right of the operator, with its flags; a slash within it is escaped. */
  private static final Pattern RIGHT = Pattern.compile("\\s*/((?:[^/\\\\]|\\\\.)*)/([dixmsuU]*)", Pattern.DOTALL);
  /** The end of one on its left. */
  private static final Pattern LEFT = Pattern.compile("/[dixmsuU]{0,7}\\s{0,9}\\z");
  private static final int LEFT_LENGTH = 20;
  private static final Pattern COMMENTS = Pattern.compile("\\(\\?[a-zA-Z]*x");

  /** The expressions of a path. An expression is compiled so that it matches a value and a line end after it. */
  private record Expressions(List<Pattern> compiled, List<String> shown) {}

  private static final LastPattern<Expressions> PATHS = new LastPattern<>((path, function) -> expressions(path, function));

  private JsonPathPatterns() {}

  /**
   * Returns the path; null for null.
   *
   * @param document the JSON text to which a function applies the path, or null
   * @param function the name of the function
   * @throws IllegalStateException if matching a value of the document takes too many steps, or may do so unseen
   */
  public static UTF8String checked(UTF8String path, UTF8String document, UTF8String function) {
    return checked(path, document, function, BoundedSearch.MAX_STEPS);
  }

  static UTF8String checked(UTF8String path, UTF8String document, UTF8String function, long maxSteps) {
    if (path != null && document != null && path.contains(UTF8String.fromString(MATCHES))) {
      Expressions found = PATHS.of(path, function);
      if (!found.compiled.isEmpty()) {
        check(found, document.toString(), function.toString(), maxSteps);
      }
    }
    return path;
  }

  private static void check(Expressions expressions, String document, String function, long maxSteps) {
    try (JsonParser values = JSON.createParser(document)) {
      for (JsonToken token = values.nextToken(); token != null; token = values.nextToken()) {
        if (token.isScalarValue()) {
          String text = values.getText();
          for (int i = 0; i < expressions.compiled.size(); i++) {
            match(expressions.compiled.get(i), expressions.shown.get(i), text, function, maxSteps);
          }
        }
      }
    } catch (IOException e) {
      // The function itself reports a document that is not JSON.
    }
  }

  private static void match(Pattern compiled, String shown, String text, String function, long maxSteps) {
    try {
      // Many ways can lead to the end of a text, where nothing is read, so nothing would be counted. So the text goes on.
      boolean unused = compiled.matcher(new StoppableText(text + "\n", maxSteps)).matches();
    } catch (StoppableText.TooManySteps e) {
      throw BoundedSearch.tooManySteps(function, shown, maxSteps, text.length(), e);
    } catch (StackOverflowError e) {
      throw new IllegalStateException(function + " cannot be computed: the pattern '" + BoundedSearch.shorten(shown)
          + "' recurs too deeply in a text of " + text.length() + " characters", e);
    }
  }

  private static Expressions expressions(String path, String function) {
    List<Pattern> compiled = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    for (int at = path.indexOf(MATCHES); at >= 0; at = path.indexOf(MATCHES, at + 1)) {
      Matcher right = RIGHT.matcher(path).region(at + MATCHES.length(), path.length());
      if (right.lookingAt()) {
        Pattern expression = compile(right.group(1), right.group(2));
        if (expression != null) {
          compiled.add(expression);
          shown.add(right.group(1));
        }
      } else if (LEFT.matcher(path.substring(Math.max(0, at - LEFT_LENGTH), at)).find()) {
        throw new IllegalStateException(function + " cannot be computed: a pattern must be on the right of =~ in a path");
      }
    }
    if (!compiled.isEmpty() && path.contains("concat")) {
      throw new IllegalStateException(function + " cannot be computed: a path with =~ must not call concat()");
    }
    return new Expressions(compiled, shown);
  }

  /** Returns the compiled expression; null if it is not valid, which the function reports. */
  private static Pattern compile(String regex, String flags) {
    int how = 0;
    for (int i = 0; i < flags.length(); i++) {
      how |= switch (flags.charAt(i)) {
        case 'd' -> Pattern.UNIX_LINES;
        case 'i' -> Pattern.CASE_INSENSITIVE;
        case 'x' -> Pattern.COMMENTS;
        case 'm' -> Pattern.MULTILINE;
        case 's' -> Pattern.DOTALL;
        case 'u' -> Pattern.UNICODE_CASE;
        default -> Pattern.UNICODE_CHARACTER_CLASS;
      };
    }
    // The group must not be part of a quotation, or of a comment.
    String open = regex.lastIndexOf("\\Q") > regex.lastIndexOf("\\E") ? "\\E" : "";
    String line = (how & Pattern.COMMENTS) != 0 || COMMENTS.matcher(regex).find() ? "\n" : "";
    try {
      Pattern.compile(regex, how);
      return Pattern.compile("(?:" + regex + open + line + ")\\n", how);
    } catch (PatternSyntaxException e) {
      return null;
    }
  }
}
