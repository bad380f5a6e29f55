package io.rowtime.operator.join;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.IntervalJoinSpec;
import io.rowtime.operator.spec.TimeWindow;
import io.rowtime.state.FakeStates;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.Test;

/** The join of two inputs, with restarts from its state, compared with nested loops. Times in milliseconds. */
public class IntervalJoinTest {
  private static final StructType ROW = new StructType().add("n", DataTypes.IntegerType).add("text", DataTypes.StringType);
  private static final StructType KEY = new StructType().add("k", DataTypes.IntegerType);
  private static final List<String> KINDS = List.of("INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI");

  private record Item(int side, int n, long time, Integer key) {}

  private record Found(long time, Integer left, Integer right) {}

  private final UnsafeProjection rowBytes = UnsafeProjection.create(ROW);
  private final UnsafeProjection keyBytes = UnsafeProjection.create(KEY);
  private final UnsafeProjection inputBytes = UnsafeProjection.create(PackedInputs.SCHEMA);

  @Test public void testSmallRows() {
    for (int seed = 0; seed < Integer.getInteger("cases", 60); seed++) {
      check(new Random(seed), 30, 40, 10);
    }
  }

  /** Rows of a batch fill several pages, not in order of time. */
  @Test public void testRowsOfManyPages() {
    for (int seed = 0; seed < Integer.getInteger("cases", 60) / 5; seed++) {
      check(new Random(100 + seed), 8, 800, 6_000);
    }
  }

  private void check(Random random, int batches, int most, int length) {
    String kind = KINDS.get(random.nextInt(KINDS.size()));
    boolean filter = isFilter(kind);
    long[][] intervals = {filter ? new long[2] : interval(random), interval(random)};
    long[] disorder = {random.nextBoolean() ? 0 : 3_000, random.nextBoolean() ? 0 : 3_000};
    boolean[] distinct = {!filter && random.nextInt(3) == 0, random.nextInt(3) == 0};
    boolean ordered = random.nextBoolean();
    TimeWindow window = random.nextBoolean() ? null
        : random.nextBoolean() ? new TimeWindow(3_000_000, 1_000_000, 0) : new TimeWindow(0, 0, 1);
    IntervalJoinSpec spec = new IntervalJoinSpec(IntervalJoinSpec.JoinType.valueOf(kind), side("a", intervals[0], window, disorder[0], distinct[0]),
        side("b", intervals[1], window, disorder[1], distinct[1]), "t");
    IntervalJoinOperator.Factory factory = new IntervalJoinOperator.Factory(spec, ordered, ROW, filter ? new StructType() : ROW, null);
    FakeStates states = new FakeStates();
    IntervalJoinOperator join = null;
    byte[] saved = null;
    List<Item> all = new ArrayList<>();
    List<Found> found = new ArrayList<>();
    long[] newest = {0, 0};
    long watermark = 0;
    for (int batch = 0; batch <= batches; batch++) {
      List<Item> items = new ArrayList<>();
      if (batch < batches) {
        for (int side = 0; side < 2; side++) {
          long begin = newest[side];
          int number = side;
          for (int i = random.nextInt(most); i > 0; i--) {
            long time = Math.max(0, begin + random.nextInt(4_000) - disorder[side]);
            newest[side] = Math.max(newest[side], time);
            Item item = new Item(side, all.size(), time, random.nextInt(8) == 0 ? null : random.nextInt(12));
            items.add(item);
            all.add(item);
          }
          if (distinct[side]) {
            // Any row that can still arrive may be a duplicate of an earlier one.
            all.stream().filter(item -> item.side == number && item.time >= begin - disorder[number] && random.nextInt(3) == 0)
                .forEach(items::add);
          }
        }
        Collections.shuffle(items, random);
      } else {
        watermark = Long.MAX_VALUE / 4_000;
      }
      if (join != null && random.nextBoolean()) {
        join.attach(states);
      } else {
        join = (IntervalJoinOperator) factory.create();
        join.open(states, saved);
      }
      Iterator<InternalRow> out = join.process(items.stream().map(item -> row(item, length)).iterator(), watermark * 1000);
      saved = join.save();
      while (out.hasNext()) {
        found.add(found(out.next(), length, filter));
      }
      watermark = Math.max(watermark, Math.min(newest[0] - disorder[0], newest[1] - disorder[1]));
    }
    List<Found> expected = expected(kind, all, intervals, window);
    String what = spec + ", " + all.size() + " rows";
    if (ordered) {
      for (int i = 1; i < found.size(); i++) {
        assertTrue(what, found.get(i - 1).time <= found.get(i).time);
      }
    }
    assertEquals(what, sorted(expected), sorted(found));
    assertEquals(what, 0, states.size());
  }

  private static long[] interval(Random random) {
    long from = (random.nextInt(3) - 1) * 1_500L;
    return new long[] {from, from + random.nextInt(3) * 2_000L};
  }

  private static IntervalJoinSpec.Side side(String name, long[] interval, TimeWindow window, long disorder, boolean distinct) {
    return new IntervalJoinSpec.Side(List.of(name + "k"), List.of(name + "n", name + "text"), name + "t", interval[0] * 1000,
        interval[1] * 1000, null, window, List.of(), Arrivals.always(true, disorder * 1000, false), distinct);
  }

  private InternalRow row(Item item, int length) {
    byte[] key = item.key == null ? null : keyBytes.apply(new GenericInternalRow(new Object[] {item.key})).getBytes();
    byte[] columns = rowBytes.apply(new GenericInternalRow(new Object[] {item.n, text(item.n, length)})).getBytes();
    return inputBytes.apply(new GenericInternalRow(new Object[] {item.side, item.time * 1000, key, columns, 0})).copy();
  }

  private static UTF8String text(int n, int length) {
    return UTF8String.fromString(("row " + n + " ").repeat(1 + n % length / 8));
  }

  /** Returns whether rows of the left side are emitted alone. */
  private static boolean isFilter(String kind) {
    return kind.equals("SEMI") || kind.equals("ANTI");
  }

  private static Found found(InternalRow row, int length, boolean filter) {
    return filter ? new Found(row.getLong(2) / 1000, number(row, 0, length), null) : new Found(row.getLong(4) / 1000, number(row, 0, length), number(row, 2, length));
  }

  private static Integer number(InternalRow row, int column, int length) {
    if (row.isNullAt(column)) {
      assertTrue(row.isNullAt(column + 1));
      return null;
    }
    assertEquals(text(row.getInt(column), length), row.getUTF8String(column + 1));
    return row.getInt(column);
  }

  private static List<Found> expected(String kind, List<Item> all, long[][] intervals, TimeWindow window) {
    List<Found> pairs = new ArrayList<>();
    boolean[] matched = new boolean[all.size()];
    List<Item> lefts = all.stream().filter(item -> item.side == 0).toList();
    List<Item> rights = all.stream().filter(item -> item.side == 1).toList();
    for (Item left : lefts) {
      for (Item right : rights) {
        long begin = Math.max(within(window, left.time, intervals[0][0]), within(window, right.time, intervals[1][0]));
        boolean meet = begin <= Math.min(within(window, left.time, intervals[0][1]), within(window, right.time, intervals[1][1]));
        if (meet && left.key != null && left.key.equals(right.key)) {
          matched[left.n] = true;
          matched[right.n] = true;
          pairs.add(new Found(begin, left.n, right.n));
        }
      }
    }
    if (isFilter(kind)) {
      return lefts.stream().filter(left -> matched[left.n] == kind.equals("SEMI")).map(left -> new Found(left.time, left.n, null)).toList();
    }
    for (Item item : all) {
      boolean outer = kind.equals("FULL") || kind.equals(item.side == 0 ? "LEFT" : "RIGHT");
      if (outer && !matched[item.n]) {
        long end = within(window, item.time, intervals[item.side][1]);
        pairs.add(item.side == 0 ? new Found(end, item.n, null) : new Found(end, null, item.n));
      }
    }
    return pairs;
  }

  /** A time moved by a distance, and no further than its window goes. */
  private static long within(TimeWindow window, long time, long distance) {
    if (window == null) {
      return time + distance;
    }
    long start = window.start(time * 1000) / 1000;
    long last = window.next(time * 1000) / 1000 - 1;
    return Math.max(start, Math.min(last, time + distance));
  }

  private static List<String> sorted(List<Found> found) {
    return found.stream().map(Found::toString).sorted().toList();
  }
}
