package io.rowtime.functions;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.spark.sql.types.Decimal;

/**
 * Computes exact averages from sum and count. Most are a division of two longs, for which Spark's decimals would need
 * five objects.
 */
public final class Averages {
  private static final long[] POWERS = new long[19];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = 10 * POWERS[i - 1];
    }
  }

  private Averages() {}

  /**
   * Returns the average of integers.
   *
   * @param total their sum
   * @param count the number of values
   * @param precision the digits of the result
   * @param scale the digits of the result after the decimal point; rounded half up
   * @return null if there are no values
   * @throws ArithmeticException if the result has more digits
   */
  public static Decimal average(long total, long count, int precision, int scale) {
    if (count == 0) {
      return null;
    }
    if (scale < POWERS.length && total <= Long.MAX_VALUE / POWERS[scale] && total >= -(Long.MAX_VALUE / POWERS[scale])) {
      long wide = total * POWERS[scale];
      long quotient = wide / count;
      long rest = Math.abs(wide % count);
      if (rest >= count - rest) {
        quotient += wide < 0 ? -1 : 1;
      }
      return Decimal.apply(quotient, precision, scale);
    }
    return divide(BigDecimal.valueOf(total), count, precision, scale);
  }

  /** Returns the average of decimals; otherwise the same. */
  public static Decimal average(Decimal total, long count, int precision, int scale) {
    return count == 0 ? null : divide(total.toJavaBigDecimal(), count, precision, scale);
  }

  private static Decimal divide(BigDecimal total, long count, int precision, int scale) {
    BigDecimal quotient = total.divide(BigDecimal.valueOf(count), scale, RoundingMode.HALF_UP);
    return Decimal.apply(scala.math.BigDecimal.javaBigDecimal2bigDecimal(quotient), precision, scale);
  }
}
