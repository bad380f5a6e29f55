package io.rowtime.operator.over;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.operator.rank.SortedPartitions;
import io.rowtime.operator.spec.Bound;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.UpdatingOverSpec;
import io.rowtime.operator.spec.Window;
import io.rowtime.state.FakeStates;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.After;
import org.junit.Test;

/** OVER whose values change, compared with a loop over all rows after every batch: random frames, cuts, restarts, small pages, retractions. */
public class UpdatingOverTest {
  private static final StructType SCHEMA = new StructType().add("k", DataTypes.IntegerType).add("v", DataTypes.LongType)
      .add("t", DataTypes.TimestampType).add("w", DataTypes.LongType).add("n", DataTypes.LongType, false);
  private static final List<String> COLUMNS = List.of("k", "v", "t", "w");
  private static final Bound START = new Bound(Bound.Kind.UNBOUNDED_PRECEDING, null);
  private static final Bound END = new Bound(Bound.Kind.UNBOUNDED_FOLLOWING, null);
  private static final Bound CURRENT = new Bound(Bound.Kind.CURRENT_ROW, null);

  /** A row that is added, or retracted, this often. */
  private record Change(Integer k, Long v, long t, Long w, long n) {
    Change once(long times) {
      return new Change(k, v, t, w, times);
    }
  }

  @After public void memory() {
    SortedPartitions.pageSize = 64;
  }

  private static Call call(String name, String function, Long number) {
    List<String> args = List.of("SUM", "MAX", "COUNT", "LAG", "LEAD").contains(function) ? List.of("w") : List.of();
    return new Call(name, function, args, number, null, null, false, false, null, "BIGINT");
  }

  private static Bound rows(int distance) {
    return distance == 0 ? CURRENT : new Bound(distance < 0 ? Bound.Kind.PRECEDING : Bound.Kind.FOLLOWING, BigDecimal.valueOf(Math.abs(distance)));
  }

  private static Window window(Random random, List<Order> order, int number) {
    String name = "r" + number;
    String function = List.of("SUM", "MAX", "COUNT").get(random.nextInt(3));
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> {
        int lower = random.nextInt(5) - 3;
        yield new Window(order, true, rows(lower), rows(lower + random.nextInt(4)), List.of(call(name, function, null)));
      }
      case 3 -> new Window(order, random.nextBoolean(), START, CURRENT, List.of(call(name, function, null)));
      case 4 -> new Window(order, true, CURRENT, END, List.of(call(name, function, null)));
      case 5 -> {
        BigDecimal distance = BigDecimal.valueOf(1 + random.nextInt(2));
        yield new Window(order, false, new Bound(Bound.Kind.PRECEDING, distance), new Bound(Bound.Kind.FOLLOWING, distance), List.of(call(name, function, null)));
      }
      case 6 -> new Window(List.of(), false, START, END, List.of(call(name, function, null)));
      default -> {
        String ranked = List.of("ROW_NUMBER", "RANK", "LAG", "LEAD").get(random.nextInt(4));
        Long distance = ranked.startsWith("L") ? (Long) (1L + random.nextInt(2)) : null;
        yield new Window(order, false, START, CURRENT, List.of(call(name, ranked, distance)));
      }
    };
  }

  @Test public void appliedChangesAreTheValuesAfterEveryBatch() {
    for (int seed = 0; seed < Integer.getInteger("cases", 500); seed++) {
      Random random = new Random(seed);
      boolean retracts = random.nextBoolean();
      boolean descending = random.nextBoolean();
      List<Order> order = List.of(new Order("v", descending, !descending));
      List<Window> windows = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        windows.add(window(random, order, i));
      }
      UpdatingOverSpec spec = new UpdatingOverSpec(COLUMNS, List.of("k"), order, random.nextBoolean() ? "t" : null, retracts ? "n" : null, windows);
      SortedPartitions.pageSize = 1 + random.nextInt(5);
      int keys = 1 + random.nextInt(3);
      int values = 1 + random.nextInt(40);
      FakeStates states = new FakeStates();
      UpdatingOver operator = new UpdatingOver(spec, SCHEMA);
      operator.open(states, null);
      Map<Change, Long> rows = new HashMap<>();
      Map<List<Object>, Long> applied = new HashMap<>();
      for (int batch = 0; batch < 1 + random.nextInt(15); batch++) {
        List<Change> changes = changes(random, rows, retracts, keys, values);
        if (random.nextInt(4) == 0) {
          operator = new UpdatingOver(spec, SCHEMA);
          operator.open(states, states.header);
        } else {
          operator.attach(states);
        }
        String what = "seed " + seed + ", batch " + batch + ": " + windows;
        apply(operator.process(input(changes), 0), windows.size(), applied, what);
        states.header = operator.save();
        assertEquals(what, model(spec, rows), applied);
      }
    }
  }

  /** Changes {@code rows}, and returns the changes in any order: a row can be retracted before it is added. */
  private static List<Change> changes(Random random, Map<Change, Long> rows, boolean retracts, int keys, int values) {
    List<Change> changes = new ArrayList<>();
    int count = random.nextInt(12);
    for (int i = 0; i < count; i++) {
      List<Change> there = rows.keySet().stream().sorted(Comparator.comparing(Change::toString)).toList();
      Change row;
      if (retracts && !there.isEmpty() && random.nextBoolean()) {
        row = there.get(random.nextInt(there.size())).once(-1);
      } else {
        row = new Change(random.nextInt(8) == 0 ? null : (Integer) random.nextInt(keys), random.nextInt(6) == 0 ? null : (Long) (long) random.nextInt(values),
            random.nextInt(3), random.nextInt(5) == 0 ? null : (Long) (long) random.nextInt(4), retracts ? 1 + random.nextInt(2) : 1);
      }
      changes.add(row);
      rows.merge(row.once(0), row.n, Long::sum);
      rows.values().removeIf(times -> times == 0);
    }
    Collections.shuffle(changes, random);
    return changes;
  }

  private static Iterator<InternalRow> input(List<Change> changes) {
    UnsafeProjection binary = UnsafeProjection.create(SCHEMA);
    return changes.stream().<InternalRow>map(each -> binary.apply(new GenericInternalRow(new Object[] {each.k, each.v, each.t, each.w, each.n}))).iterator();
  }

  private static void apply(Iterator<InternalRow> out, int results, Map<List<Object>, Long> to, String what) {
    Map<List<Object>, Long> said = new HashMap<>();
    while (out.hasNext()) {
      InternalRow row = out.next();
      List<Object> values = new ArrayList<>();
      values.add(row.isNullAt(0) ? null : (Object) row.getInt(0));
      for (int i = 1; i < 4 + results; i++) {
        values.add(row.isNullAt(i) ? null : (Object) row.getLong(i));
      }
      long times = row.getLong(4 + results);
      assertTrue(what + ": something changes", times != 0);
      assertEquals(what + ": each row is changed once", null, said.put(values, times));
      long now = to.merge(values, times, Long::sum);
      assertTrue(what + ": " + values + " is there", now >= 0);
      to.values().removeIf(count -> count == 0);
    }
  }

  /** Returns all rows with their values, and how often each is there. */
  private static Map<List<Object>, Long> model(UpdatingOverSpec spec, Map<Change, Long> rows) {
    Order by = spec.order().get(0);
    Comparator<Long> up = by.descending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
    Comparator<Change> key = Comparator.comparing(Change::v, by.nullsFirst() ? Comparator.nullsFirst(up) : Comparator.nullsLast(up));
    Comparator<Change> timed = spec.time() == null ? key : key.thenComparing(Change::t);
    Comparator<Change> all = timed.thenComparing(Change::t).thenComparing(Change::w, Comparator.nullsFirst(Comparator.naturalOrder()));
    Map<Integer, List<Change>> partitions = new HashMap<>();
    rows.forEach((row, count) -> {
      for (long i = 0; i < count; i++) {
        partitions.computeIfAbsent(row.k, missing -> new ArrayList<>()).add(row);
      }
    });
    Map<List<Object>, Long> found = new HashMap<>();
    for (List<Change> its : partitions.values()) {
      its.sort(all);
      for (int i = 0; i < its.size(); i++) {
        Change row = its.get(i);
        List<Object> values = new ArrayList<>(Arrays.asList(row.k, row.v, row.t, row.w));
        for (Window window : spec.windows()) {
          values.add(value(window, its, i, key));
        }
        found.merge(values, 1L, Long::sum);
      }
    }
    return found;
  }

  private static Long value(Window window, List<Change> rows, int at, Comparator<Change> key) {
    Call call = window.calls().get(0);
    switch (call.function()) {
      case "ROW_NUMBER":
        return at + 1L;
      case "RANK":
        return rows.stream().filter(each -> key.compare(each, rows.get(at)) < 0).count() + 1;
      case "LAG", "LEAD":
        int place = at + (int) (call.function().equals("LAG") ? -call.number() : call.number());
        return place >= 0 && place < rows.size() ? rows.get(place).w : null;
      default:
        List<Long> frame = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
          if (isIn(window, rows, i, at)) {
            frame.add(rows.get(i).w);
          }
        }
        Stream<Long> known = frame.stream().filter(Objects::nonNull);
        return switch (call.function()) {
          case "COUNT" -> (Long) known.count();
          case "SUM" -> known.reduce(Long::sum).orElse(null);
          default -> known.max(Comparator.naturalOrder()).orElse(null);
        };
    }
  }

  private static boolean isIn(Window window, List<Change> rows, int row, int at) {
    if (!window.rows() && window.lower().offset() != null) {
      Long one = rows.get(row).v;
      Long other = rows.get(at).v;
      return one == null || other == null ? one == null && other == null : Math.abs(one - other) <= window.upper().distance();
    }
    boolean fromLower = window.lower().isUnbounded() || row - at >= window.lower().distance();
    return fromLower && (window.upper().isUnbounded() || row - at <= window.upper().distance());
  }

  /** Changes of two of many rows read and write the pages of those near them. */
  @Test public void aChangeReadsAndWritesThePagesOfItsFrames() {
    List<Order> order = List.of(new Order("v", false, false));
    Window window = new Window(order, true, rows(-2), CURRENT, List.of(call("r", "SUM", null)));
    UpdatingOver operator = new UpdatingOver(new UpdatingOverSpec(COLUMNS, List.of("k"), order, "t", "n", List.of(window)), SCHEMA);
    FakeStates states = new FakeStates();
    operator.open(states, null);
    List<Change> all = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      all.add(new Change(1, i * 7919L % 20_000, 0, 1L, 1));
    }
    operator.process(input(all), 0);
    states.header = operator.save();
    long filled = states.written;
    operator.attach(states);
    Map<List<Object>, Long> changed = new HashMap<>();
    Iterator<InternalRow> out = operator.process(input(List.of(new Change(1, 100L, 0, 1L, -1), new Change(1, 15_000L, 0, 5L, 1))), 0);
    while (out.hasNext()) {
      InternalRow row = out.next();
      changed.put(List.of(row.getLong(1), row.getLong(3), row.getLong(4)), row.getLong(5));
    }
    // The sums after the row that is gone stay, as all rows are alike there.
    assertEquals(Map.of(List.of(100L, 1L, 3L), -1L, List.of(15_000L, 5L, 7L), 1L, List.of(15_001L, 1L, 3L), -1L, List.of(15_001L, 1L, 7L), 1L,
        List.of(15_002L, 1L, 3L), -1L, List.of(15_002L, 1L, 7L), 1L), changed);
    long touched = states.read + states.written - filled;
    assertTrue(touched + " of " + filled, touched < filled / 10);
  }
}
