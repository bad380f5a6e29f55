package io.rowtime.functions;

import io.rowtime.validate.function.LikePattern;
import org.apache.spark.unsafe.types.UTF8String;

/** LIKE and ILIKE, see {@link LikePattern}. */
public final class Like {
  private static final LastPattern<LikePattern> LIKE = new LastPattern<>((pattern, escape) -> new LikePattern(pattern, escape, false));
  private static final LastPattern<LikePattern> ILIKE = new LastPattern<>((pattern, escape) -> new LikePattern(pattern, escape, true));

  private Like() {}

  /**
   * Returns whether a text matches a pattern.
   *
   * @param escape one character, or empty for none
   * @throws IllegalArgumentException if the pattern is malformed
   */
  public static boolean matches(UTF8String text, UTF8String pattern, UTF8String escape) {
    return LIKE.of(pattern, escape).matches(text.getBytes(), StoppableText::stopIfKilled);
  }

  /** Returns whether a text matches a pattern of ILIKE, which ignores the case of ASCII letters; see {@link #matches}. */
  public static boolean matchesIgnoringCase(UTF8String text, UTF8String pattern, UTF8String escape) {
    return ILIKE.of(pattern, escape).matches(text.getBytes(), StoppableText::stopIfKilled);
  }
}
