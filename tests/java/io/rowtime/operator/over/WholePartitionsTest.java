package io.rowtime.operator.over;

import io.rowtime.operator.Cases;
import io.rowtime.operator.Item;
import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.Bound;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.operator.spec.Window;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;

/** Windows in any order over partitions that close, compared with the {@link Model}. */
public class WholePartitionsTest {
  private static final String[] FUNCTIONS = {"MEDIAN", "PERCENTILE_CONT", "PERCENTILE_DISC", "LISTAGG", "COLLECT",
      "COUNT", "SUM", "MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE", "VAR_POP"};
  private static final Bound.Kind[] KINDS = Bound.Kind.values();

  @Test public void everyFrameIsWhatTheModelSays() {
    for (int seed = 0; seed < Integer.getInteger("cases", 200); seed++) {
      Random random = new Random(2_000_000 + seed);
      Cases cases = new Cases(random);
      long disorder = random.nextInt(3) == 0 ? 1 + random.nextInt(60) : 0;
      List<Window> windows = new ArrayList<>();
      windows.add(whole(cases, random));
      for (int i = 0; i < random.nextInt(3); i++) {
        List<Call> calls = cases.calls("c" + i + "_", FUNCTIONS, false);
        windows.add(random.nextBoolean() ? window(random, calls) : cases.range(calls, true));
      }
      OverSpec spec = new OverSpec(List.of("k", "closes"), "t", Item.CLOCK, "seq",
          Arrivals.always(disorder > 0, random.nextBoolean() ? (Long) (disorder * 1000) : disorder > 0 ? null : (Long) 0L, false), "closes", windows);
      Check.run("seed " + seed, spec, cases.rows(random.nextInt(250), disorder, 100), disorder, random);
    }
  }

  /** Returns a window that needs the whole partition. */
  private static Window whole(Cases cases, Random random) {
    String function = new String[] {"PERCENT_RANK", "CUME_DIST", "NTILE", "RANK"}[random.nextInt(4)];
    Call call = new Call("rank", function, List.of(), function.equals("NTILE") ? (Long) (1L + random.nextInt(5)) : null,
        null, null, false, false, null, function.equals("NTILE") || function.equals("RANK") ? "bigint" : "double");
    return new Window(order(random), true, cases.bound(Bound.Kind.UNBOUNDED_PRECEDING, 0),
        cases.bound(Bound.Kind.UNBOUNDED_FOLLOWING, 0), List.of(call));
  }

  private static List<Order> order(Random random) {
    String[] columns = {"i", "dec", "d", "s", "t"};
    List<Order> order = new ArrayList<>();
    order.add(new Order(columns[random.nextInt(5)], random.nextBoolean(), random.nextBoolean()));
    if (random.nextBoolean()) {
      order.add(new Order(columns[random.nextInt(5)], random.nextBoolean(), random.nextBoolean()));
    }
    return order;
  }

  private static Window window(Random random, List<Call> calls) {
    boolean rows = random.nextBoolean();
    List<Order> order = rows ? order(random)
        : List.of(new Order(random.nextBoolean() ? "i" : "dec", random.nextBoolean(), random.nextBoolean()));
    return new Window(order, rows, bound(random, true), bound(random, false), calls);
  }

  private static Bound bound(Random random, boolean lower) {
    Bound.Kind kind = KINDS[random.nextInt(4) + (lower ? 0 : 1)];
    boolean has = kind == Bound.Kind.PRECEDING || kind == Bound.Kind.FOLLOWING;
    return new Bound(kind, has ? BigDecimal.valueOf(random.nextInt(6)) : null);
  }
}
