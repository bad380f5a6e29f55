package io.rowtime.functions;

import io.rowtime.validate.function.SimilarPattern;
import org.apache.spark.unsafe.types.UTF8String;

/** SIMILAR TO of standard SQL, see {@link SimilarPattern}. */
public final class Similar {
  /** Each character of a longer text may take as long as the pattern is, so a search there can be stopped. */
  private static final int SHORT = 1_000;
  /** After so many steps, and some per character, a text is matched in linear time instead. */
  private static final int FEW_STEPS = 20_000;
  private static final int FEW_STEPS_PER_CHARACTER = 20;

  private static final LastPattern<SimilarPattern.Matchers> PATTERNS = new LastPattern<>(SimilarPattern::compile);

  private Similar() {}

  /**
   * Returns whether a text matches a pattern.
   *
   * @param escape one character, or empty for none
   * @throws IllegalArgumentException if the pattern is malformed
   */
  public static boolean matches(UTF8String text, UTF8String pattern, UTF8String escape) {
    return matches(text.toString(), PATTERNS.of(pattern, escape));
  }

  private static boolean matches(String text, SimilarPattern.Matchers matchers) {
    int length = text.length();
    if (length <= matchers.fewWays()) {
      return matchers.fast().matcher(text).matches();
    }
    if (matchers.mayRepeat() && (length <= SHORT || matchers.mayRepeatLong())) {
      try {
        return matchers.fast().matcher(new StoppableText(text, FEW_STEPS + (long) FEW_STEPS_PER_CHARACTER * length)).matches();
      } catch (StoppableText.TooManySteps e) {
        // The other matcher takes longer, but not for longer texts.
      }
    }
    return matchers.linear().matcher(length <= SHORT ? text : new StoppableText(text, Long.MAX_VALUE)).matches();
  }
}
