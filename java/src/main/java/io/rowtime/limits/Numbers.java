package io.rowtime.limits;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Numbers of text. A few characters such as {@code 1e-300000000} stand for numbers that no machine can write out, so each
 * is judged by its exponent before anything is computed with it.
 */
public final class Numbers {
  private Numbers() {}

  /**
   * The number that a text stands for, in ASCII digits.
   *
   * @throws NumberFormatException if it is not a number, or longer than {@link Limits#NUMBER_LENGTH}
   */
  public static BigDecimal decimal(String text) {
    int length = text.length();
    if (length > Limits.NUMBER_LENGTH) {
      throw new NumberFormatException("a number of " + length + " characters");
    }
    for (int i = 0; i < length; i++) {
      if (text.charAt(i) > '9') {
        // Java takes the digits of all scripts; of the letters there is only the E.
        char letter = text.charAt(i);
        if (letter != 'e' && letter != 'E') {
          throw new NumberFormatException();
        }
      }
    }
    return new BigDecimal(text);
  }

  /** How many digits stand before the point; 0 or less for numbers below one, and for zero. */
  public static long wholeDigits(BigDecimal number) {
    return number.signum() == 0 ? 0 : (long) number.precision() - number.scale();
  }

  /**
   * The number with so many digits after the point, rounded half up. The caller has seen to it that
   * {@link #wholeDigits} is small.
   */
  public static BigDecimal scaled(BigDecimal number, int scale) {
    // What is smaller than half of the last digit is zero; to divide it down could take hours.
    return number.signum() == 0 || wholeDigits(number) < -scale
        ? BigDecimal.ZERO.setScale(scale) : number.setScale(scale, RoundingMode.HALF_UP);
  }

  /** Whether a number has no digits after the point; {@link #wholeDigits} has to be small. */
  public static boolean isWhole(BigDecimal number) {
    // A number with fewer digits than places after the point has one that is not zero there.
    return number.signum() == 0 || number.scale() <= 0
        || number.precision() >= number.scale() && number.stripTrailingZeros().scale() <= 0;
  }
}
