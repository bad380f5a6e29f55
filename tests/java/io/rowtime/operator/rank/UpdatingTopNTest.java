package io.rowtime.operator.rank;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.TopNSpec;
import io.rowtime.operator.spec.UpdatingTopNSpec;
import io.rowtime.state.FakeStates;
import io.rowtime.state.StoredSlots;
import io.rowtime.state.TaskOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.After;
import org.junit.Test;

/** Top-N of partitions that never end, compared with sorting all rows after every batch: random rows, cuts, restarts, small pages, retractions. */
public class UpdatingTopNTest {
  private static final StructType SCHEMA = new StructType().add("k", DataTypes.IntegerType).add("v", DataTypes.LongType)
      .add("t", DataTypes.TimestampType).add("w", DataTypes.IntegerType).add("n", DataTypes.LongType, false);
  private static final List<String> COLUMNS = List.of("k", "v", "t", "w");

  /** A row that is added, or retracted, this often. */
  private record Change(Integer k, Long v, long t, int w, long n) {
    Change once(long times) {
      return new Change(k, v, t, w, times);
    }
  }

  @After public void memory() {
    SortedPartitions.pageSize = 64;
    StoredSlots.inMemory = 1 << 17;
    StoredSlots.maxBytes = 64 << 20;
  }

  private static UpdatingTopNSpec spec(RankFunction function, int limit, boolean descending, List<RankFunction> ranks, boolean timed, boolean retracts) {
    return new UpdatingTopNSpec(COLUMNS, List.of("k"), List.of(new Order("v", descending, !descending)), function, limit,
        ranks.stream().map(each -> new TopNSpec.Rank("r" + each, each)).toList(), timed ? "t" : null, retracts ? "n" : null);
  }

  @Test public void appliedChangesAreTheFirstRowsAfterEveryBatch() {
    for (int seed = 0; seed < Integer.getInteger("cases", 500); seed++) {
      Random random = new Random(seed);
      boolean retracts = random.nextBoolean();
      RankFunction function = RankFunction.values()[random.nextInt(3)];
      List<RankFunction> ranks = Arrays.stream(RankFunction.values()).filter(each -> random.nextInt(3) == 0).toList();
      SortedPartitions.pageSize = 1 + random.nextInt(5);
      check(seed, random, spec(function, random.nextInt(5), random.nextBoolean(), ranks, random.nextBoolean(), retracts), false);
    }
  }

  /** A few rows by ROW_NUMBER, where rows are only added, have an operator of their own. */
  @Test public void aFewRowsByNumber() {
    checkByNumber(false);
  }

  /** Each takes over the state of the other: a query that also returns other ranks has the same state, as have builds without it. */
  @Test public void stateIsTakenOverByEitherOperator() {
    checkByNumber(true);
  }

  private static void checkByNumber(boolean inTurns) {
    for (int seed = 0; seed < Math.max(20, Integer.getInteger("cases", 500) / 5); seed++) {
      Random random = new Random(seed);
      List<RankFunction> ranks = random.nextBoolean() ? List.of() : List.of(RankFunction.ROW_NUMBER);
      UpdatingTopNSpec spec = spec(RankFunction.ROW_NUMBER, 1 + random.nextInt(4), random.nextBoolean(), ranks, random.nextBoolean(), false);
      assertTrue(AddedRowsTopN.fits(spec));
      check(seed, random, spec, inTurns);
    }
  }

  /** @param inTurns whether {@link UpdatingTopN} begins, and may take over whenever the state is opened */
  private static void check(int seed, Random random, UpdatingTopNSpec spec, boolean inTurns) {
    StoredSlots.inMemory = random.nextBoolean() ? random.nextInt(4) : 1 << 17;
    StoredSlots.maxBytes = random.nextBoolean() ? random.nextInt(300) : 64 << 20;
    int keys = 1 + random.nextInt(4);
    int values = 1 + random.nextInt(12);
    FakeStates states = new FakeStates();
    TaskOperator operator = inTurns ? new UpdatingTopN(spec, SCHEMA) : TopNOperator.updating(spec, SCHEMA);
    operator.open(states, null);
    Map<Change, Long> rows = new HashMap<>();
    Map<List<Object>, Long> applied = new HashMap<>();
    for (int batch = 0; batch < 1 + random.nextInt(15); batch++) {
      List<Change> changes = changes(random, rows, spec.change() != null, keys, values);
      if (random.nextInt(4) == 0) {
        operator = inTurns && random.nextBoolean() ? new UpdatingTopN(spec, SCHEMA) : TopNOperator.updating(spec, SCHEMA);
        operator.open(states, states.header);
      } else {
        operator.attach(states);
      }
      String what = "seed " + seed + ", batch " + batch;
      apply(operator.process(input(changes), 0), spec.ranks().size(), applied, what);
      states.header = operator.save();
      assertEquals(what, model(spec, rows), applied);
    }
  }

  /** Changes {@code rows}, and returns the changes in any order: a row can be retracted before it is added. */
  private static List<Change> changes(Random random, Map<Change, Long> rows, boolean retracts, int keys, int values) {
    List<Change> changes = new ArrayList<>();
    int count = random.nextInt(15);
    for (int i = 0; i < count; i++) {
      List<Change> there = rows.entrySet().stream().filter(each -> each.getValue() > 0).map(Map.Entry::getKey)
          .sorted(Comparator.comparing(Change::toString)).toList();
      if (retracts && !there.isEmpty() && random.nextBoolean()) {
        Change row = there.get(random.nextInt(there.size()));
        changes.add(row.once(-1));
        rows.merge(row, -1L, Long::sum);
      } else {
        Change row = new Change(random.nextInt(8) == 0 ? null : (Integer) random.nextInt(keys), random.nextInt(5) == 0 ? null : (Long) (long) random.nextInt(values),
            random.nextInt(3), random.nextInt(3), 0);
        int times = retracts ? 1 + random.nextInt(2) : 1;
        changes.add(row.once(times));
        rows.merge(row, (long) times, Long::sum);
      }
    }
    Collections.shuffle(changes, random);
    return changes;
  }

  private static Iterator<InternalRow> input(List<Change> changes) {
    UnsafeProjection binary = UnsafeProjection.create(SCHEMA);
    return changes.stream().<InternalRow>map(each -> binary.apply(new GenericInternalRow(new Object[] {each.k, each.v, each.t, each.w, each.n}))).iterator();
  }

  private static void apply(Iterator<InternalRow> out, int ranks, Map<List<Object>, Long> to, String what) {
    Map<List<Object>, Long> said = new HashMap<>();
    while (out.hasNext()) {
      InternalRow row = out.next();
      List<Object> values = new ArrayList<>(Arrays.asList(row.isNullAt(0) ? null : (Object) row.getInt(0), row.isNullAt(1) ? null : (Object) row.getLong(1),
          row.getLong(2), row.getInt(3)));
      for (int i = 0; i < ranks; i++) {
        values.add(row.getLong(4 + i));
      }
      long times = row.getLong(4 + ranks);
      assertEquals(what + ": each row is changed once", null, said.put(values, times));
      long now = to.merge(values, times, Long::sum);
      assertTrue(what + ": " + values + " is there", now >= 0);
      to.values().removeIf(count -> count == 0);
    }
    assertTrue(what + ": something changes", said.values().stream().noneMatch(times -> times == 0));
  }

  /** Returns the first rows with their ranks, and how often each is there. */
  private static Map<List<Object>, Long> model(UpdatingTopNSpec spec, Map<Change, Long> rows) {
    Order by = spec.order().get(0);
    Comparator<Long> up = by.descending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
    Comparator<Change> key = Comparator.comparing(Change::v, by.nullsFirst() ? Comparator.nullsFirst(up) : Comparator.nullsLast(up));
    Comparator<Change> all = spec.time() == null ? key : key.thenComparing(Change::t);
    all = all.thenComparing(Change::v, Comparator.nullsFirst(Comparator.naturalOrder())).thenComparing(Change::t).thenComparing(Change::w);
    Map<Integer, List<Change>> partitions = new HashMap<>();
    rows.forEach((row, count) -> {
      for (long i = 0; i < count; i++) {
        partitions.computeIfAbsent(row.k, missing -> new ArrayList<>()).add(row);
      }
    });
    Map<List<Object>, Long> first = new HashMap<>();
    for (List<Change> its : partitions.values()) {
      its.sort(all);
      for (int i = 0; i < its.size(); i++) {
        Change row = its.get(i);
        long before = its.stream().filter(each -> key.compare(each, row) < 0).count();
        long values = its.stream().filter(each -> key.compare(each, row) < 0).map(Change::v).distinct().count();
        Map<RankFunction, Long> ranks = Map.of(RankFunction.ROW_NUMBER, i + 1L, RankFunction.RANK, before + 1, RankFunction.DENSE_RANK, values + 1);
        if (ranks.get(spec.function()) <= spec.limit()) {
          List<Object> values2 = new ArrayList<>(Arrays.asList(row.k, row.v, row.t, row.w));
          spec.ranks().forEach(rank -> values2.add(ranks.get(rank.function())));
          first.merge(values2, 1L, Long::sum);
        }
      }
    }
    return first;
  }

  /** If rows are only added, state has the first ones, however many come; a batch that changes nothing writes nothing. */
  @Test public void stateHasTheFirstRowsOfEachPartition() {
    UpdatingTopNSpec spec = spec(RankFunction.ROW_NUMBER, 3, true, List.of(), true, false);
    FakeStates states = new FakeStates();
    TaskOperator operator = TopNOperator.updating(spec, SCHEMA);
    operator.open(states, null);
    Random random = new Random(1);
    long[] touched = new long[40];
    for (int batch = 0; batch < touched.length; batch++) {
      List<Change> changes = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        changes.add(new Change(random.nextInt(5), (long) random.nextInt(1 << 20), batch, i, 1));
      }
      long before = states.read + states.written;
      operator.attach(states);
      operator.process(input(changes), 0);
      states.header = operator.save();
      touched[batch] = states.read + states.written - before;
    }
    assertTrue(Arrays.toString(touched), Arrays.stream(touched).max().getAsLong() < 5 * 3 * 200);
    long written = states.written;
    operator.attach(states);
    assertTrue(!operator.process(input(List.of(new Change(1, -1L, 0, 0, 1), new Change(2, null, 0, 0, 1))), 0).hasNext());
    assertEquals(written, states.written);
  }

  /** A change of one of many rows reads and writes the pages of that row and of the first ones. */
  @Test public void aRetractionReadsAndWritesItsPage() {
    UpdatingTopNSpec spec = spec(RankFunction.ROW_NUMBER, 2, false, List.of(RankFunction.ROW_NUMBER), true, true);
    FakeStates states = new FakeStates();
    TaskOperator operator = TopNOperator.updating(spec, SCHEMA);
    operator.open(states, null);
    List<Change> all = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      all.add(new Change(1, i * 7919L % 20_000, 0, 0, 1));
    }
    operator.process(input(all), 0);
    states.header = operator.save();
    long filled = states.written;
    operator.attach(states);
    Iterator<InternalRow> out = operator.process(input(List.of(new Change(1, 0L, 0, 0, -1), new Change(1, 9_000L, 0, 0, -1))), 0);
    Map<Long, Long> changes = new HashMap<>();
    while (out.hasNext()) {
      InternalRow row = out.next();
      changes.put(row.getLong(5) > 0 ? row.getLong(1) : -row.getLong(1), row.getLong(4));
    }
    assertEquals(Map.of(0L, 1L, -1L, 2L, 1L, 1L, 2L, 2L), changes);
    long touched = states.read + states.written - filled;
    assertTrue(touched + " of " + filled, touched < filled / 10);
  }
}
