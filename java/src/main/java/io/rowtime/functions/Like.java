package io.rowtime.functions;

import io.rowtime.validate.function.LikePattern;
import org.apache.spark.unsafe.types.UTF8String;

/** LIKE and ILIKE, see {@link LikePattern}. */
public final class Like {
  /** The last pattern, which is usually the next one too. */
  private record Last(UTF8String pattern, UTF8String escape, LikePattern compiled) {
    boolean isOf(UTF8String otherPattern, UTF8String otherEscape) {
      return pattern.equals(otherPattern) && escape.equals(otherEscape);
    }
  }

  private static final ThreadLocal<Last> LIKE = new ThreadLocal<>();
  private static final ThreadLocal<Last> ILIKE = new ThreadLocal<>();

  private Like() {}

  /**
   * Returns whether a text matches a pattern.
   *
   * @param escape one character, or empty for none
   * @throws IllegalArgumentException if the pattern is malformed
   */
  public static boolean matches(UTF8String text, UTF8String pattern, UTF8String escape) {
    return compiled(LIKE, pattern, escape).matches(text.getBytes(), StoppableText::stopIfKilled);
  }

  /** Returns whether a text matches a pattern of ILIKE, which ignores the case of ASCII letters; see {@link #matches}. */
  public static boolean matchesIgnoringCase(UTF8String text, UTF8String pattern, UTF8String escape) {
    return compiled(ILIKE, pattern, escape).matches(text.getBytes(), StoppableText::stopIfKilled);
  }

  private static LikePattern compiled(ThreadLocal<Last> cache, UTF8String pattern, UTF8String escape) {
    Last last = cache.get();
    if (last == null || !last.isOf(pattern, escape)) {
      last = new Last(pattern.copy(), escape.copy(), new LikePattern(pattern.toString(), escape.toString(), cache == ILIKE));
      cache.set(last);
    }
    return last.compiled;
  }
}
