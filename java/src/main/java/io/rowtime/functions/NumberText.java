package io.rowtime.functions;

import io.rowtime.limits.Limits;
import io.rowtime.limits.Numbers;
import java.math.BigDecimal;
import org.apache.spark.unsafe.types.UTF8String;

/** Text that is to become a DECIMAL. */
public final class NumberText {
  /** A text so short, without an exponent, Spark reads in no time. */
  private static final int SHORT = 64;
  private static final int SHOWN = 60;
  /** More digits than any DECIMAL has. */
  private static final int DIGITS = 100;

  private NumberText() {}

  /**
   * The text for Spark to read: as it is, unless Spark would take hours for it. A number that is nearly zero is zero, and
   * one that is too long ends in dots, which Spark refuses.
   */
  public static UTF8String readable(UTF8String text) {
    int length = text.numBytes();
    if (length <= SHORT && !hasExponent(text, length)) {
      return text;
    }
    String trimmed = text.toString().strip();
    if (trimmed.length() > Limits.NUMBER_LENGTH) {
      return UTF8String.fromString(trimmed.substring(0, SHOWN) + "...");
    }
    try {
      BigDecimal number = Numbers.decimal(trimmed);
      return Numbers.wholeDigits(number) < -DIGITS ? UTF8String.fromString("0") : text;
    } catch (NumberFormatException e) {
      // Spark says so.
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
