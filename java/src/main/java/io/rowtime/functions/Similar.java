package io.rowtime.functions;

import io.rowtime.validate.function.SimilarPattern;
import java.util.function.Predicate;
import org.apache.spark.unsafe.types.UTF8String;

/** SIMILAR TO of standard SQL, see {@link SimilarPattern}. */
public final class Similar {
  /** The last pattern, which is usually the next one too. */
  private record Last(UTF8String pattern, UTF8String escape, Predicate<CharSequence> compiled) {}

  /** Each character of a longer text may take as long as the pattern is, so a search there can be stopped. */
  private static final int SHORT = 1_000;

  private static final ThreadLocal<Last> LAST = new ThreadLocal<>();

  private Similar() {}

  /**
   * Returns whether a text matches a pattern.
   *
   * @param escape one character, or empty for none
   * @throws IllegalArgumentException if the pattern is malformed
   */
  public static boolean matches(UTF8String text, UTF8String pattern, UTF8String escape) {
    Last last = LAST.get();
    if (last == null || !last.pattern.equals(pattern) || !last.escape.equals(escape)) {
      last = new Last(pattern.copy(), escape.copy(), SimilarPattern.compile(pattern.toString(), escape.toString()));
      LAST.set(last);
    }
    String whole = text.toString();
    return last.compiled.test(whole.length() <= SHORT ? whole : new StoppableText(whole, Long.MAX_VALUE));
  }
}
