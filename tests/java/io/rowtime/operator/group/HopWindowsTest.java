package io.rowtime.operator.group;

import static org.junit.Assert.assertEquals;

import io.rowtime.operator.Cases;
import io.rowtime.operator.Item;
import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.BoundClock;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.HopSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.Test;

/**
 * Hopping windows, compared with loops over all rows and all windows: random rows, periods, cuts, bounds and restarts.
 */
public class HopWindowsTest {
  private static final long[] SLIDES = {1, 7, 20, 50, 100};

  private static Call call(String name, String function, String column) {
    return new Call(name, function, List.of(column),
        column.equals("d") ? "DOUBLE" : column.equals("s") ? "STRING" : "BIGINT");
  }

  private static HopSpec spec(Random random, long disorder, boolean byKey) {
    long slide = SLIDES[random.nextInt(SLIDES.length)];
    long size = random.nextBoolean() ? slide * (1 + random.nextInt(6)) : 1 + random.nextInt(200);
    List<BoundClock.ClockStep> clock = new ArrayList<>();
    clock.add(BoundClock.ClockStep.of(BoundClock.Function.SHIFT, -Item.SHIFT * 1000, 0));
    if (random.nextInt(4) == 0) {
      clock.add(BoundClock.ClockStep.of(BoundClock.Function.FLOOR, 30_000, 7000));
    }
    List<Call> calls = List.of(call("sum", "SUM", "l"), call("least", "MIN", "s"), call("most", "MAX", "d"));
    Arrivals arrivals = Arrivals.always(disorder > 0, random.nextBoolean() ? (Long) (disorder * 1000) : disorder > 0 ? null : (Long) 0L,
        random.nextInt(3) > 0);
    return new HopSpec(byKey ? List.of("k", "g") : List.of(), "t", arrivals,
        slide * 1000, size * 1000, (random.nextInt(100) - 50) * 1000L, clock, calls, List.of());
  }

  /** Returns the results of each window that has ended at {@code bound}, by (start, key). */
  private static Map<String, List<Object>> model(HopSpec hop, List<Item> rows, long bound) {
    Map<String, List<Item>> windows = new HashMap<>();
    for (Item item : rows) {
      long time = item.time() * 1000;
      for (long start = Math.floorDiv(time - hop.offset(), hop.slide()) * hop.slide() + hop.offset();
          start + hop.size() > time; start -= hop.slide()) {
        if (start + hop.size() <= bound) {
          String key = start + (hop.keys().isEmpty() ? "" : " " + item.key() + " " + item.text());
          windows.computeIfAbsent(key, missing -> new ArrayList<>()).add(item);
        }
      }
    }
    Map<String, List<Object>> results = new TreeMap<>();
    windows.forEach((key, its) -> results.put(key, Arrays.asList(
        its.stream().map(item -> (Long) item.value("l")).filter(Objects::nonNull).reduce(Long::sum).orElse(null),
        its.stream().map(item -> (String) item.value("s")).filter(Objects::nonNull).min(String::compareTo).orElse(null),
        its.stream().map(item -> (Double) item.value("d")).filter(Objects::nonNull).max(Double::compare).orElse(null))));
    return results;
  }

  private static void take(Iterator<InternalRow> from, boolean byKey, Map<String, List<Object>> to, String what) {
    while (from.hasNext()) {
      InternalRow row = from.next();
      int first = byKey ? 2 : 0;
      String key = row.getLong(first) + (byKey ? " " + (row.isNullAt(0) ? null : row.getInt(0)) + " "
          + (row.isNullAt(1) ? null : row.getUTF8String(1)) : "");
      List<Object> before = to.put(key, Arrays.asList(row.isNullAt(first + 1) ? null : row.getLong(first + 1),
          row.isNullAt(first + 2) ? null : row.getUTF8String(first + 2).toString(),
          row.isNullAt(first + 3) ? null : row.getDouble(first + 3)));
      assertEquals(what + ": " + key + " comes twice", null, before);
    }
  }

  @Test public void everyWindowIsWhatTheModelSays() {
    for (int seed = 0; seed < Integer.getInteger("cases", 200); seed++) {
      Random random = new Random(seed);
      long disorder = random.nextInt(3) == 0 ? 1 + random.nextInt(60) : 0;
      boolean byKey = random.nextInt(4) > 0;
      HopSpec spec = spec(random, disorder, byKey);
      List<Item> rows = new Cases(random).rows(random.nextInt(250), disorder, 0).stream().map(HopWindowsTest::small).toList();
      Map<String, List<Object>> out = GroupReplay.run(seed, random, spec, rows, disorder,
          (from, to, what) -> take(from, byKey, to, what), (arrived, clock, newest) -> {
            Arrivals.Arrival arrival = spec.arrivals().ordered();
            long certain = !arrival.early() || arrival.maxDisorder() == null || newest == Long.MIN_VALUE ? clock
                : Math.max(clock, newest - arrival.maxDisorder() / 1000);
            return model(spec, arrived, spec.boundClock().at((certain + Item.SHIFT) * 1000));
          });
      assertEquals("seed " + seed, model(spec, rows, Long.MAX_VALUE), out);
    }
  }

  /** Sums of these stay within BIGINT, and there are no special numbers. */
  private static Item small(Item item) {
    Object[] values = item.values().clone();
    values[1] = values[1] == null ? null : (Long) values[1] % 1000;
    values[2] = values[2] == null || !Double.isFinite((Double) values[2]) ? null : values[2];
    return new Item(item.id(), item.key(), item.text(), item.time(), item.seq(), item.closes(), values);
  }

  @Test public void rowsThatAreAlikeAreCombined() throws Exception {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      HopSpec spec = spec(random, 0, true);
      StructType schema = new StructType().add("t", DataTypes.LongType).add("k", DataTypes.IntegerType)
          .add("l", DataTypes.LongType).add("s", DataTypes.StringType).add("d", DataTypes.DoubleType);
      List<Item> rows = new Cases(random).rows(random.nextInt(250), 0, 0).stream().map(HopWindowsTest::small).toList();
      Map<String, List<Item>> alike = new TreeMap<>();
      rows.forEach(item -> alike.computeIfAbsent(item.time() / 50 + " " + item.key(), missing -> new ArrayList<>()).add(item));
      UnsafeProjection binary = UnsafeProjection.create(schema);
      Iterator<InternalRow> input = rows.stream().map(item -> {
        InternalRow whole = item.row();
        return (InternalRow) binary.apply(new org.apache.spark.sql.catalyst.expressions.GenericInternalRow(new Object[] {
            item.time() / 50, item.key(), item.value("l"), whole.isNullAt(12) ? null : whole.getUTF8String(12), item.value("d")}));
      }).iterator();
      Map<String, List<Object>> found = new TreeMap<>();
      new CombinedRows(hop(List.of(), spec.calls()), schema).of(input).forEachRemaining(row -> found.put(row.getLong(0) + " " + (row.isNullAt(1) ? null : row.getInt(1)),
          Arrays.asList(row.isNullAt(2) ? null : row.getLong(2), row.isNullAt(3) ? null : row.getUTF8String(3).toString(),
              row.isNullAt(4) ? null : row.getDouble(4))));
      Map<String, List<Object>> expected = new TreeMap<>();
      HopSpec one = hop(spec.calls(), List.of());
      alike.forEach((key, its) -> expected.put(key, model(one, its, Long.MAX_VALUE).get("0")));
      assertEquals("seed " + seed, expected, found);
    }
  }

  /** One window with all rows in it. */
  private static HopSpec hop(List<Call> calls, List<Call> combine) {
    return new HopSpec(List.of(), "t", Arrivals.always(false, 0L, true), 1_000_000_000L, 1_000_000_000L, 0, List.of(), calls, combine);
  }
}
