package io.rowtime.operator.over;

import io.rowtime.operator.Cases;
import io.rowtime.operator.Spec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.types.DataTypes;
import org.junit.Test;

/** Windows in any order over partitions that close, against the {@link Model}. */
public class WholePartitionsTest {
  private static final String[] FUNCTIONS = {"MEDIAN", "PERCENTILE_CONT", "PERCENTILE_DISC", "LISTAGG", "COLLECT",
      "COUNT", "SUM", "MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE", "VAR_POP"};
  private static final Spec.Kind[] KINDS = Spec.Kind.values();

  @Test public void everyFrameIsWhatTheModelSays() {
    for (int seed = 0; seed < Integer.getInteger("cases", 200); seed++) {
      Random random = new Random(2_000_000 + seed);
      Cases cases = new Cases(random);
      long disorder = random.nextInt(3) == 0 ? 1 + random.nextInt(60) : 0;
      List<Spec.Window> windows = new ArrayList<>();
      windows.add(whole(cases, random));
      for (int i = 0; i < random.nextInt(3); i++) {
        List<Spec.Call> calls = cases.calls("c" + i + "_", FUNCTIONS, false);
        windows.add(random.nextBoolean() ? window(cases, random, calls) : cases.range(calls, true));
      }
      Spec spec = new Spec(List.of("k", "closes"), random.nextBoolean() ? "t" : null, "w", "seq", disorder > 0,
          random.nextBoolean() ? (Long) (disorder * 1000) : disorder > 0 ? null : (Long) 0L, "closes", windows);
      if (spec.time() == null && disorder > 0) {
        continue;
      }
      Check.run("seed " + seed, spec, cases.rows(random.nextInt(250), disorder, 100), disorder, random);
    }
  }

  /** Something that needs the whole partition. */
  private static Spec.Window whole(Cases cases, Random random) {
    String function = new String[] {"PERCENT_RANK", "CUME_DIST", "NTILE", "RANK"}[random.nextInt(4)];
    Spec.Call call = new Spec.Call("rank", function, List.of(), List.of(
        com.fasterxml.jackson.databind.node.IntNode.valueOf(1 + random.nextInt(5))), false, false, null,
        function.equals("NTILE") || function.equals("RANK") ? DataTypes.LongType : DataTypes.DoubleType);
    return new Spec.Window(order(random), true, cases.bound(Spec.Kind.UNBOUNDED_PRECEDING, 0),
        cases.bound(Spec.Kind.UNBOUNDED_FOLLOWING, 0), List.of(call));
  }

  private static List<Spec.Order> order(Random random) {
    String[] columns = {"i", "dec", "d", "s", "t"};
    List<Spec.Order> order = new ArrayList<>();
    order.add(new Spec.Order(columns[random.nextInt(5)], random.nextBoolean(), random.nextBoolean()));
    if (random.nextBoolean()) {
      order.add(new Spec.Order(columns[random.nextInt(5)], random.nextBoolean(), random.nextBoolean()));
    }
    return order;
  }

  private static Spec.Window window(Cases cases, Random random, List<Spec.Call> calls) {
    boolean rows = random.nextBoolean();
    List<Spec.Order> order = rows ? order(random)
        : List.of(new Spec.Order(random.nextBoolean() ? "i" : "dec", random.nextBoolean(), random.nextBoolean()));
    return new Spec.Window(order, rows, bound(random, true), bound(random, false), calls);
  }

  private static Spec.Bound bound(Random random, boolean lower) {
    Spec.Kind kind = KINDS[random.nextInt(4) + (lower ? 0 : 1)];
    boolean has = kind == Spec.Kind.PRECEDING || kind == Spec.Kind.FOLLOWING;
    return new Spec.Bound(kind, has ? BigDecimal.valueOf(random.nextInt(6)) : null);
  }
}
