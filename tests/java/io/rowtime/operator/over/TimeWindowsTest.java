package io.rowtime.operator.over;

import io.rowtime.operator.Cases;
import io.rowtime.operator.Item;
import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.operator.spec.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;

/** RANGE frames over time, compared with the {@link Model}: random frames, rows, cuts, bounds and restarts. */
public class TimeWindowsTest {
  private static final String[] FUNCTIONS = {"MEDIAN", "PERCENTILE_CONT", "PERCENTILE_DISC", "LISTAGG", "COLLECT",
      "COUNT", "SUM", "MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE",
      "VAR_POP", "VAR_SAMP", "STDDEV_POP", "STDDEV_SAMP"};

  private static final String[] SMALL = {"SUM", "MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE", "STDDEV_POP"};

  @Test public void everyFrameIsWhatTheModelSays() {
    for (int seed = 0; seed < Integer.getInteger("cases", 200); seed++) {
      Random random = new Random(seed);
      Cases cases = new Cases(random);
      long disorder = random.nextInt(3) == 0 ? 1 + random.nextInt(60) : 0;
      boolean closes = random.nextInt(3) == 0;
      List<String> partition = closes ? List.of("k", "closes") : List.of(List.of("k"), List.of("k", "g"),
          List.<String>of())
          .get(random.nextInt(3));
      List<Window> windows = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        // If partitions never end, functions without small state cannot look back without limit.
        boolean small = !closes && random.nextInt(3) == 0;
        windows.add(cases.range(cases.calls("c" + i + "_", small ? SMALL : FUNCTIONS, small), closes || small));
      }
      OverSpec spec = new OverSpec(partition, "t", Item.CLOCK, "seq",
          Arrivals.always(disorder > 0, random.nextBoolean() ? (Long) (disorder * 1000) : disorder > 0 ? null : (Long) 0L, false), closes ? "closes" : null,
              windows);
      List<Item> rows = cases.rows(random.nextInt(250), disorder, closes ? 100 : 0);
      Check.run("seed " + seed, spec, rows, disorder, random);
    }
  }
}
