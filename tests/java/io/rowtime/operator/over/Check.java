package io.rowtime.operator.over;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.operator.Item;
import io.rowtime.operator.Stage;
import io.rowtime.operator.spec.Bound;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.operator.spec.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Feeds rows in random batches, with random bounds and restarts, and compares the output with the model. */
final class Check {
  private Check() {}

  static void run(String what, OverSpec spec, List<Item> rows, long disorder, Random random) {
    Replay replay = new Replay(spec, random);
    what += " " + spec;
    int next = 0;
    long clock = -Item.SHIFT;
    long newest = Long.MIN_VALUE;
    List<Item> given = new ArrayList<>();
    while (next < rows.size()) {
      int count = Math.min(rows.size() - next, random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(random
          .nextInt(3) == 0 ? 60 : 4));
      List<Item> batch = rows.subList(next, next + count);
      next += count;
      given.addAll(batch);
      List<Integer> step = replay.step(batch, clock);
      checkOrder(what, rows, step);
      for (Item item : batch) {
        newest = Math.max(newest, item.time());
      }
      checkOut(what + " at " + clock, spec, given, replay, clock, newest);
      if (count == 0 || random.nextBoolean()) {
        long limit = next == 0 ? clock : newest - disorder;
        clock = Math.max(clock, limit - (random.nextBoolean() ? 0 : random.nextInt(40)));
      }
    }
    // Like Spark: no step without rows before a timer is due.
    for (int i = 0; i < 100_000 && replay.due() != Stage.NEVER; i++) {
      clock = Math.max(clock + 1, replay.due());
      replay.step(List.of(), clock);
    }
    checkOut(what + " at the end", spec, rows, replay, clock, newest);
    assertEquals(what, replay.out.size(), new HashSet<>(replay.out).size());
    checkResults(what, spec, rows, replay);
    boolean bounded = spec.closes() != null || spec.windows().stream().allMatch(window ->
        window.lower().kind() != Bound.Kind.UNBOUNDED_PRECEDING
            && window.calls().stream().allMatch(call -> FramePlan.overRows(window, call) == null));
    if (bounded) {
      assertEquals(what + " " + replay.states, 0, replay.states.size());
    }
  }

  private static void checkOrder(String what, List<Item> rows, List<Integer> step) {
    List<Integer> sorted = new ArrayList<>(step);
    sorted.sort(Comparator.comparingLong((Integer id) -> rows.get(id).time()).thenComparingLong(id -> rows.get(id)
        .seq()));
    assertEquals(what, sorted, step);
  }

  /** Rows must be emitted as soon as they are certain, and not before. */
  private static void checkOut(String what, OverSpec spec, List<Item> given, Replay replay, long clock, long newest) {
    long certain = spec.arrivals().ordered().maxDisorder() == null || newest == Long.MIN_VALUE ? clock
        : Math.max(clock, newest - spec.arrivals().ordered().maxDisorder() / 1000);
    if (new FramePlan(spec).needsWholePartitions()) {
      Set<Integer> complete = new HashSet<>();
      given.stream().filter(item -> item.closes() <= certain).forEach(item -> complete.add(item.id()));
      assertEquals(what, complete, new HashSet<>(replay.out));
      return;
    }
    boolean peers = spec.windows().stream().anyMatch(window -> window.order().size() > 1);
    long ahead = 0;
    long rowsAhead = 0;
    for (Window window : spec.windows()) {
      for (Call call : window.calls()) {
        Window rows = FramePlan.overRows(window, call);
        rowsAhead = Math.max(rowsAhead, rows == null ? 0 : rows.upper().distance());
      }
      if (window.calls().stream().allMatch(call -> FramePlan.overRows(window, call) != null)) {
        continue;
      }
      peers |= window.upper().kind() == Bound.Kind.FOLLOWING
          || window.upper().kind() == Bound.Kind.PRECEDING && window.upper().distance() == 0;
      ahead = Math.max(ahead, window.upper().distance() / 1000);
    }
    Map<List<Object>, List<Item>> partitions = new HashMap<>();
    for (Item item : given) {
      boolean in = !spec.arrivals().ordered().disordered() && !peers || item.time() + (peers ? 1 : 0) <= certain;
      boolean seen = ahead == 0 || item.time() + ahead < certain || item.closes() != null && item.closes() <= certain;
      if (in && seen) {
        partitions.computeIfAbsent(key(spec, item), missing -> new ArrayList<>()).add(item);
      }
    }
    Set<Integer> expected = new HashSet<>();
    for (List<Item> partition : partitions.values()) {
      // Times are in microseconds: a grace period is longer than its frame.
      long grace = ahead > 0 ? ahead + 1 : 0;
      boolean closed = partition.get(0).closes() != null && partition.get(0).closes() + grace <= certain;
      boolean further = spec.windows().stream().anyMatch(window -> window.order().size() > 1);
      partition.sort(further ? Model.order(spec.windows().stream().filter(w -> w.order().size() > 1).findFirst().get())
          : Comparator.comparingLong(Item::time).thenComparingLong(Item::seq));
      partition.subList(0, closed ? partition.size() : Math.max(0, partition.size() - (int) rowsAhead))
          .forEach(item -> expected.add(item.id()));
    }
    assertEquals(what, expected, new HashSet<>(replay.out));
  }

  private static void checkResults(String what, OverSpec spec, List<Item> rows, Replay replay) {
    Map<List<Object>, List<Item>> partitions = new HashMap<>();
    for (Item item : rows) {
      partitions.computeIfAbsent(key(spec, item), missing -> new ArrayList<>()).add(item);
    }
    for (Window window : spec.windows()) {
      for (List<Item> partition : partitions.values()) {
        partition.sort(Model.order(window));
        for (int i = 0; i < partition.size(); i++) {
          for (Call call : window.calls()) {
            Object expected = Model.evaluate(window, call, partition, i);
            if (!replay.results.containsKey(partition.get(i).id())) {
              continue;
            }
            Object found = replay.results.get(partition.get(i).id()).get(call.name());
            assertTrue(what + "\nrow " + partition.get(i) + " " + call + ": expected " + expected + ", found " + found,
                equal(call, expected, found));
          }
        }
      }
    }
  }

  private static List<Object> key(OverSpec spec, Item item) {
    List<Object> key = new ArrayList<>();
    for (String column : spec.partition()) {
      key.add(switch (column) {
        case "k" -> item.key();
        case "g" -> item.text();
        default -> item.closes();
      });
    }
    return key;
  }

  private static boolean equal(Call call, Object expected, Object found) {
    if (expected instanceof List<?> list) {
      return found instanceof List<?> other && list.toString().equals(other.toString());
    }
    if (expected instanceof java.math.BigDecimal number) {
      return found != null && number.compareTo((java.math.BigDecimal) found) == 0;
    }
    boolean near = call.function().equals("MEDIAN") || call.function().startsWith("PERCENTILE") || call
        .function().startsWith("VAR") || call.function().startsWith("STDDEV");
    if (near && expected != null && found != null && !expected.equals(found)) {
      double a = (Double) expected;
      double b = (Double) found;
      return Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b)) + 1e-18;
    }
    return java.util.Objects.equals(expected, found);
  }
}
