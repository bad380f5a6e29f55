package io.rowtime.functions;

import io.rowtime.limits.Limits;
import io.rowtime.limits.Numbers;
import java.math.BigDecimal;
import org.apache.spark.unsafe.types.UTF8String;

/** Prepares text that is cast to DECIMAL. */
public final class NumberText {
  /** Spark reads a text of at most this length, without an exponent, quickly. */
  private static final int SHORT = 64;
  private static final int MAX_SHOWN = 60;
  /** More digits than any DECIMAL can have. */
  private static final int DIGITS = 100;

  private NumberText() {}

  /**
   * Returns the text for Spark to read, changed only if Spark would need hours for it: a number that is almost zero
   * becomes zero, and a number that is too long is cut and ends in dots, which Spark refuses.
   */
  public static UTF8String readable(UTF8String text) {
    int length = text.numBytes();
    if (length <= SHORT && !hasExponent(text, length)) {
      return text;
    }
    String trimmed = text.toString().strip();
    if (trimmed.length() > Limits.NUMBER_LENGTH) {
      return UTF8String.fromString(trimmed.substring(0, MAX_SHOWN) + "...");
    }
    try {
      BigDecimal number = Numbers.decimal(trimmed);
      return Numbers.wholeDigits(number) < -DIGITS ? UTF8String.fromString("0") : text;
    } catch (NumberFormatException e) {
      // Spark reports the error.
      return text;
    }
  }

  private static boolean hasExponent(UTF8String text, int length) {
    for (int i = 0; i < length; i++) {
      if ((text.getByte(i) | 0x20) == 'e') {
        return true;
      }
    }
    return false;
  }
}
