package io.rowtime.operator.over;

import io.rowtime.operator.Cases;
import io.rowtime.operator.Item;
import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.operator.spec.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;

/** ROWS frames, LAG, LEAD and ranks, compared with the {@link Model}, alone and together with frames over time. */
public class RowWindowsTest {
  private static final String[] FUNCTIONS = {"MEDIAN", "PERCENTILE_CONT", "PERCENTILE_DISC", "LISTAGG", "COLLECT",
      "COUNT", "SUM", "MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE",
      "VAR_POP", "STDDEV_SAMP"};

  private static final String[] SMALL = {"SUM", "MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE", "STDDEV_POP"};

  @Test public void everyFrameIsWhatTheModelSays() {
    for (int seed = 0; seed < Integer.getInteger("cases", 200); seed++) {
      Random random = new Random(1_000_000 + seed);
      Cases cases = new Cases(random);
      long disorder = random.nextInt(4) == 0 ? 1 + random.nextInt(60) : 0;
      boolean closes = random.nextInt(3) == 0;
      List<Order> time = List.of(new Order("t", false, true));
      List<Order> further = List.of(time.get(0), new Order("i", random.nextBoolean(), random.nextBoolean()));
      List<Order> order = random.nextInt(4) == 0 ? further : time;
      List<Window> windows = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        // If partitions never end, functions without small state cannot look back without limit.
        boolean small = !closes && random.nextInt(3) == 0;
        boolean unbounded = closes || small;
        List<Call> calls = new ArrayList<>(cases.calls("c" + i + "_", small ? SMALL : FUNCTIONS, small));
        boolean range = random.nextInt(5) == 0;
        if (random.nextBoolean()) {
          Call ranking = cases.ranking("r" + i);
          // Which row is the last one that waits is defined for one order only.
          if (!range || order == time || !ranking.function().equals("LEAD")) {
            calls.add(ranking);
          }
        }
        windows.add(range ? cases.range(calls, unbounded) : cases.rows(calls, order, unbounded));
      }
      OverSpec spec = new OverSpec(closes ? List.of("k", "closes") : List.of("k"), "t", Item.CLOCK, "seq",
          Arrivals.always(disorder > 0, random.nextBoolean() ? (Long) (disorder * 1000) : disorder > 0 ? null : (Long) 0L, false), closes ? "closes" : null,
              windows);
      List<Item> rows = cases.rows(random.nextInt(250), disorder, closes ? random.nextBoolean() ? 100 : 2000 : 0);
      Check.run("seed " + seed, spec, rows, disorder, random);
    }
  }
}
