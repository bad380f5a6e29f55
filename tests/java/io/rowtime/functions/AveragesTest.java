package io.rowtime.functions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Random;
import org.apache.spark.SparkArithmeticException;
import org.apache.spark.sql.types.Decimal;
import org.junit.Assert;
import org.junit.Test;

/** Averages from sums and counts, compared with Java's own division of decimals. */
public class AveragesTest {
  private static final long[] EDGES = {0, 1, -1, 5, 9_223_372_036_854L, 9_223_372_036_855L, Long.MAX_VALUE, Long.MIN_VALUE};

  private final Random random = new Random(3);

  @Test public void nothingHasNoAverage() {
    assertNull(Averages.average(0L, 0, 25, 6));
    assertNull(Averages.average(Decimal.apply(0), 0, 25, 6));
  }

  @Test public void isRoundedHalfUp() {
    check(1, 3, 6);
    check(5, 2, 0);
    check(-5, 2, 0);
    check(2, 3, 0);
    check(-1, 8_000_000, 6);
    check(1, 2_000_000, 6);
    check(-1, 2_000_000, 6);
  }

  @Test public void anySumAndCount() {
    for (int i = 0; i < 20_000; i++) {
      long total = random.nextInt(4) == 0 ? EDGES[random.nextInt(EDGES.length)] : random.nextLong() >> random.nextInt(64);
      long count = 1 + (random.nextLong() >>> 1 + random.nextInt(62));
      check(total, count, random.nextInt(13));
    }
  }

  @Test public void ofMoreDigitsThanThereArePlaces() {
    Assert.assertThrows(SparkArithmeticException.class, () -> Averages.average(1_000_000L, 1, 6, 2));
    Assert.assertThrows(SparkArithmeticException.class, () -> Averages.average(Decimal.apply(1_000_000L), 1, 6, 2));
  }

  private static void check(long total, long count, int scale) {
    BigDecimal expected = BigDecimal.valueOf(total).divide(BigDecimal.valueOf(count), scale, RoundingMode.HALF_UP);
    assertEquals(expected, Averages.average(total, count, 38, scale).toJavaBigDecimal());
    assertEquals(expected, Averages.average(Decimal.apply(total), count, 38, scale).toJavaBigDecimal());
  }
}
