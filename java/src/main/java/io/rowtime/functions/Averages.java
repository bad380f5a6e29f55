package io.rowtime.functions;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.spark.sql.types.Decimal;

/** Exact averages from their parts. Nearly all are a division of one long by another, where Spark's decimals need five objects. */
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
   * The average of integers.
   *
   * @param total their sum
   * @param count how many there are
   * @param precision digits of the result
   * @param scale digits of the result behind the point; rounded half up
   * @return null of nothing
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
    return divided(BigDecimal.valueOf(total), count, precision, scale);
  }

  /** The average of decimals; the same otherwise. */
  public static Decimal average(Decimal total, long count, int precision, int scale) {
    return count == 0 ? null : divided(total.toJavaBigDecimal(), count, precision, scale);
  }

  private static Decimal divided(BigDecimal total, long count, int precision, int scale) {
    BigDecimal quotient = total.divide(BigDecimal.valueOf(count), scale, RoundingMode.HALF_UP);
    return Decimal.apply(scala.math.BigDecimal.javaBigDecimal2bigDecimal(quotient), precision, scale);
  }
}
