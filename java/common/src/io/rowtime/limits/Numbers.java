package io.rowtime.limits;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Parses numbers safely. A few characters such as {@code 1e-300000000} can stand for a number that no machine can write
 * out, so the exponent is checked before any computation.
 */
public final class Numbers {
  private Numbers() {}

  /**
   * Returns the number that a text in ASCII digits stands for.
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
        // Java accepts the digits of all scripts; the only letter allowed is E.
        char letter = text.charAt(i);
        if (letter != 'e' && letter != 'E') {
          throw new NumberFormatException();
        }
      }
    }
    return new BigDecimal(text);
  }

  /** Returns the number of digits before the decimal point; 0 or less for numbers below one, and for zero. */
  public static long wholeDigits(BigDecimal number) {
    return number.signum() == 0 ? 0 : (long) number.precision() - number.scale();
  }

  /**
   * Returns the number with {@code scale} digits after the decimal point, rounded half up. The caller must have checked
   * that {@link #wholeDigits} is small.
   */
  public static BigDecimal round(BigDecimal number, int scale) {
    // Less than half of the last digit is zero; dividing such a number could take hours.
    return number.signum() == 0 || wholeDigits(number) < -scale
        ? BigDecimal.ZERO.setScale(scale) : number.setScale(scale, RoundingMode.HALF_UP);
  }

  /** Returns whether a number is an integer; {@link #wholeDigits} must be small. */
  public static boolean isWhole(BigDecimal number) {
    // A number with fewer digits than its scale has a fraction that is not zero.
    return number.signum() == 0 || number.scale() <= 0
        || number.precision() >= number.scale() && number.stripTrailingZeros().scale() <= 0;
  }
}
