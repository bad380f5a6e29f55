package io.rowtime.operator.join;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.TemporalJoinSpec;
import io.rowtime.state.FakeStates;
import io.rowtime.state.TaskOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.Test;

/**
 * The join with versions, with restarts from its state, compared with a model that checks all of them. Times in
 * milliseconds.
 */
public class TemporalJoinTest {
  private static final StructType LEFT = new StructType().add("n", DataTypes.IntegerType);
  private static final StructType RIGHT =
      new StructType().add("n", DataTypes.IntegerType).add("i", DataTypes.IntegerType).add("seq", DataTypes.LongType);
  private static final StructType KEY = new StructType().add("k", DataTypes.IntegerType);
  private static final int SEQ = 2;

  private record Item(int side, int n, long time, Integer key, int identity) {}

  private record Found(long time, int left, Integer right) {}

  private final UnsafeProjection leftBytes = UnsafeProjection.create(LEFT);
  private final UnsafeProjection rightBytes = UnsafeProjection.create(RIGHT);
  private final UnsafeProjection keyBytes = UnsafeProjection.create(KEY);
  private final UnsafeProjection inputBytes = UnsafeProjection.create(PackedInputs.SCHEMA);

  @Test public void testFewKeys() {
    for (int seed = 0; seed < Integer.getInteger("cases", 60); seed++) {
      check(new Random(seed), 30, 40, 12);
    }
  }

  /**
   * Many small batches with many keys: chunks of versions are merged, and removed when most of their versions have been
   * replaced.
   */
  @Test public void testManySmallBatches() {
    for (int seed = 0; seed < Integer.getInteger("cases", 60) / 6; seed++) {
      check(new Random(100 + seed), 300, 4, 200);
    }
  }

  @Test public void testManyVersions() {
    for (int seed = 0; seed < Integer.getInteger("cases", 60) / 15; seed++) {
      check(new Random(200 + seed), 6, 30_000, 20_000);
    }
  }

  private void check(Random random, int batches, int most, int keys) {
    boolean own = random.nextInt(3) == 0;
    boolean inclusive = random.nextBoolean();
    boolean outer = random.nextBoolean();
    Long within = !own && random.nextBoolean() ? Long.valueOf(random.nextInt(4_000)) : null;
    long shift = (random.nextInt(3) - 1) * 1_500L;
    long[] disorder = {random.nextBoolean() ? 0 : 3_000, random.nextBoolean() ? 0 : 3_000};
    boolean ordered = random.nextBoolean();
    TemporalJoinSpec spec = new TemporalJoinSpec(outer ? TemporalJoinSpec.JoinType.LEFT : TemporalJoinSpec.JoinType.INNER,
        side(List.of("n"), disorder[0]), side(List.of("n", "i", "seq"), disorder[1]), shift * 1000, inclusive,
        within == null ? null : within * 1000, own ? List.of("i") : List.of(), own, "seq", "t");
    Expression[] identity = own ? new Expression[] {new BoundReference(1, DataTypes.IntegerType, true)} : new Expression[0];
    TaskOperator.Factory factory = within == null ? new TemporalJoinOperator.Factory(spec, ordered, LEFT, RIGHT, null, identity, SEQ)
        : new NextRowOperator.Factory(spec, ordered, LEFT, RIGHT, SEQ);
    FakeStates states = new FakeStates();
    TaskOperator join = null;
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
          for (int i = random.nextInt(most); i > 0; i--) {
            long time = Math.max(0, begin + random.nextInt(4_000) - disorder[side]);
            newest[side] = Math.max(newest[side], time);
            // Without an identity of their own, versions without a key do not reach the operator.
            Integer key = random.nextInt(8) == 0 && (own || side == 0) ? null : random.nextInt(keys);
            items.add(new Item(side, all.size() + items.size(), time, key, random.nextInt(keys)));
          }
        }
        all.addAll(items);
        Collections.shuffle(items, random);
      } else {
        watermark = Long.MAX_VALUE / 4_000;
      }
      if (join != null && random.nextBoolean()) {
        join.attach(states);
      } else {
        join = factory.create();
        join.open(states, saved);
      }
      Iterator<InternalRow> out = join.process(items.stream().map(this::row).iterator(), watermark * 1000);
      saved = join.save();
      while (out.hasNext()) {
        InternalRow row = out.next();
        found.add(new Found(row.getLong(4) / 1000, row.getInt(0), row.isNullAt(1) ? null : row.getInt(1)));
      }
      watermark = Math.max(watermark, Math.min(newest[0] - disorder[0], newest[1] - disorder[1]));
    }
    String what = spec + ", " + all.size() + " rows";
    for (int i = 1; ordered && i < found.size(); i++) {
      assertTrue(what, found.get(i - 1).time <= found.get(i).time);
    }
    List<Found> expected = within == null ? expected(spec, all, shift) : next(spec, all, shift, within);
    List<Found> missing = new ArrayList<>(expected);
    found.forEach(missing::remove);
    assertEquals(what, List.of(), missing);
    assertEquals(what, expected.size(), found.size());
    long versions = all.stream().filter(item -> item.side == 1).map(item -> own ? item.identity : item.key).distinct().count();
    assertTrue(what + ": " + states.size() + " blocks of " + versions, states.size() <= 40 + versions / 1_000);
  }

  private static TemporalJoinSpec.Side side(List<String> columns, long disorder) {
    return new TemporalJoinSpec.Side(List.of("k"), columns, "t", List.of(), Arrivals.always(true, disorder * 1000, false));
  }

  private InternalRow row(Item item) {
    byte[] key = item.key == null ? null : keyBytes.apply(new GenericInternalRow(new Object[] {item.key})).getBytes().clone();
    byte[] columns = item.side == 0 ? leftBytes.apply(new GenericInternalRow(new Object[] {item.n})).getBytes().clone()
        : rightBytes.apply(new GenericInternalRow(new Object[] {item.n, item.identity, (long) item.n})).getBytes().clone();
    return inputBytes.apply(new GenericInternalRow(new Object[] {item.side, item.time * 1000, key, columns, 0})).copy();
  }

  /** Each left row with the earliest right row from its time on, the last of those of one time. */
  private static List<Found> next(TemporalJoinSpec spec, List<Item> all, long shift, long within) {
    Map<Integer, List<Item>> rights = all.stream().filter(item -> item.side == 1)
        .sorted(Comparator.comparing(Item::time).thenComparing(item -> -item.n)).collect(Collectors.groupingBy(Item::key));
    List<Found> found = new ArrayList<>();
    for (Item left : all) {
      if (left.side == 0) {
        long from = left.time + shift + (spec.inclusive() ? 0 : 1);
        Integer next = rights.getOrDefault(left.key == null ? -1 : left.key, List.of()).stream().filter(item -> item.time >= from)
            .findFirst().filter(item -> item.time <= left.time + within).map(Item::n).orElse(null);
        if (next != null || spec.isOuter()) {
          found.add(new Found(left.time, left.n, next));
        }
      }
    }
    return found;
  }

  /** Processes the rows of both sides in order of time, each left row with the current versions. */
  private static List<Found> expected(TemporalJoinSpec spec, List<Item> all, long shift) {
    boolean own = spec.hasIdentity();
    Comparator<Item> turns = Comparator.comparingLong((Item item) -> item.side == 0 ? item.time + shift : item.time)
        .thenComparingInt(item -> spec.inclusive() == (item.side == 1) ? 0 : 1).thenComparingInt(Item::n);
    Map<Integer, Item> versions = new HashMap<>();
    List<Found> found = new ArrayList<>();
    for (Item item : all.stream().sorted(turns).toList()) {
      if (item.side == 1) {
        versions.put(own ? (Integer) item.identity : item.key, item);
        continue;
      }
      List<Item> met = own ? versions.values().stream().filter(version -> item.key != null && Objects.equals(version.key, item.key)).toList()
          : item.key != null && versions.containsKey(item.key) ? List.of(versions.get(item.key)) : List.of();
      met.forEach(version -> found.add(new Found(item.time, item.n, version.n)));
      if (met.isEmpty() && spec.isOuter()) {
        found.add(new Found(item.time, item.n, null));
      }
    }
    return found;
  }
}
