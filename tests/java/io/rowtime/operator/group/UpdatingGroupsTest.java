package io.rowtime.operator.group;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.UpdatingGroupSpec;
import io.rowtime.state.FakeStates;
import io.rowtime.state.StoredSlots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.After;
import org.junit.Test;

/**
 * Groups that never close, compared with loops over all rows after every batch: random rows, cuts, restarts, little memory, rows that
 * are retracted.
 */
public class UpdatingGroupsTest {
  private static final StructType SCHEMA = new StructType().add("k", DataTypes.IntegerType).add("v", DataTypes.LongType)
      .add("n", DataTypes.LongType, false);
  private static final List<Call> ANY = List.of(call("c", "COUNT"), new Call("vs", "COUNT", List.of("v"), "bigint"),
      new Call("s", "SUM", List.of("v"), "bigint"), once("dc", "COUNT", "v"), once("ds", "SUM", "v"), once("dk", "COUNT", "k"));
  private static final List<Call> CALLS = Stream.concat(ANY.stream(),
      Stream.of(new Call("least", "MIN", List.of("v"), "bigint"), new Call("most", "MAX", List.of("v"), "bigint"))).toList();

  /** A row that is added, or retracted, this often. */
  private record Change(Integer k, Long v, long n) {}

  private static Call call(String name, String function) {
    return new Call(name, function, List.of(), "bigint");
  }

  private static Call once(String name, String function, String column) {
    return new Call(name, function, List.of(column), null, null, null, true, false, null, "bigint");
  }

  @After public void memory() {
    StoredSlots.inMemory = 1 << 17;
    SortedCounts.pageSize = 128;
  }

  @Test public void appliedChangesAreTheResultAfterEveryBatch() {
    for (int seed = 0; seed < Integer.getInteger("cases", 500); seed++) {
      Random random = new Random(seed);
      boolean retracts = random.nextBoolean();
      UpdatingGroupSpec spec = new UpdatingGroupSpec(List.of("k"), retracts ? "n" : null, CALLS, List.of());
      SortedCounts.pageSize = 1 + random.nextInt(6);
      StoredSlots.inMemory = random.nextBoolean() ? random.nextInt(6) : 1 << 17;
      int keys = 1 + random.nextInt(12);
      int values = 1 + random.nextInt(40);
      FakeStates states = new FakeStates();
      UpdatingGroups operator = new UpdatingGroups(spec, SCHEMA);
      operator.open(states, null);
      List<Change> rows = new ArrayList<>();
      Map<Integer, List<Long>> applied = new HashMap<>();
      for (int batch = 0; batch < 1 + random.nextInt(20); batch++) {
        List<Change> changes = changes(random, keys, retracts ? rows : List.of(), random.nextInt(15), values);
        if (random.nextInt(4) == 0) {
          operator = new UpdatingGroups(spec, SCHEMA);
          operator.open(states, states.header);
        } else {
          operator.attach(states);
        }
        apply(operator.process(input(changes), 0), spec.calls().size(), applied, "seed " + seed + ", batch " + batch);
        states.header = operator.save();
        rows.addAll(changes);
        assertEquals("seed " + seed + ", batch " + batch, model(rows), applied);
      }
    }
  }

  /** Returns changes after which no row has been retracted more often than added. */
  private static List<Change> changes(Random random, int keys, List<Change> earlier, int count, int values) {
    List<Change> changes = new ArrayList<>();
    Map<Change, Long> there = new HashMap<>();
    earlier.forEach(each -> there.merge(new Change(each.k, each.v, 0), each.n, Long::sum));
    boolean retracts = !there.isEmpty();
    for (int i = 0; i < count; i++) {
      List<Change> present = there.entrySet().stream().filter(each -> each.getValue() > 0).map(Map.Entry::getKey).toList();
      Change row = retracts && random.nextBoolean() && !present.isEmpty() ? present.get(random.nextInt(present.size()))
          : new Change(random.nextInt(8) == 0 ? null : (Integer) random.nextInt(keys), random.nextInt(5) == 0 ? null : (Long) (long) random.nextInt(values), 0);
      long has = there.getOrDefault(row, 0L);
      long n = retracts && has > 0 && random.nextBoolean() ? -1 - random.nextInt((int) has) : retracts ? 1 + random.nextInt(3) : 1;
      there.merge(row, n, Long::sum);
      changes.add(new Change(row.k, row.v, n));
    }
    return changes;
  }

  private static Iterator<InternalRow> input(List<Change> changes) {
    UnsafeProjection binary = UnsafeProjection.create(SCHEMA);
    return changes.stream().<InternalRow>map(each -> binary.apply(new GenericInternalRow(new Object[] {each.k, each.v, each.n}))).iterator();
  }

  /** Applies changes to a result; each must fit it. */
  private static void apply(Iterator<InternalRow> out, int columns, Map<Integer, List<Long>> to, String what) {
    Map<Integer, List<Long>> retracted = new HashMap<>();
    while (out.hasNext()) {
      InternalRow row = out.next();
      Integer key = row.isNullAt(0) ? null : (Integer) row.getInt(0);
      List<Long> values = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        values.add(row.isNullAt(i) ? null : (Long) row.getLong(i));
      }
      if (row.getLong(columns + 1) < 0) {
        assertEquals(what + ": the row that is retracted was there", to.remove(key), values);
        assertEquals(what + ": once", null, retracted.put(key, values));
      } else {
        assertEquals(what + ": a key has one row", null, to.put(key, values));
        assertNotEquals(what + ": nothing is said of a group that is as before", retracted.get(key), values);
      }
    }
  }

  private static Map<Integer, List<Long>> model(List<Change> rows) {
    Map<Integer, List<Change>> groups = new HashMap<>();
    rows.forEach(each -> groups.computeIfAbsent(each.k, missing -> new ArrayList<>()).add(each));
    Map<Integer, List<Long>> results = new HashMap<>();
    groups.forEach((key, its) -> {
      long count = its.stream().mapToLong(Change::n).sum();
      if (count == 0) {
        return;
      }
      long values = its.stream().filter(each -> each.v != null).mapToLong(Change::n).sum();
      long sum = its.stream().filter(each -> each.v != null).mapToLong(each -> each.v * each.n).sum();
      Map<Long, Long> repeats = new HashMap<>();
      its.stream().filter(each -> each.v != null).forEach(each -> repeats.merge(each.v, each.n, Long::sum));
      List<Long> once = repeats.entrySet().stream().filter(each -> each.getValue() != 0).map(Map.Entry::getKey).toList();
      List<Long> result = new ArrayList<>(Arrays.asList(count, values, values == 0 ? null : (Long) sum, (long) once.size(),
          once.isEmpty() ? null : (Long) once.stream().mapToLong(v -> v).sum(), key == null ? 0L : 1L));
      result.add(once.stream().min(Long::compare).orElse(null));
      result.add(once.stream().max(Long::compare).orElse(null));
      results.put(key, result);
    });
    return results;
  }

  /** A batch costs what it changes, however many groups there are; so does memory. */
  @Test public void aBatchReadsAndWritesWhatItChanges() {
    StoredSlots.inMemory = 1000;
    UpdatingGroupSpec spec = new UpdatingGroupSpec(List.of("k"), null, ANY, List.of());
    FakeStates states = new FakeStates();
    UpdatingGroups operator = new UpdatingGroups(spec, SCHEMA);
    operator.open(states, null);
    long[] touched = new long[60];
    for (int batch = 0; batch < touched.length; batch++) {
      List<Change> changes = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        changes.add(new Change(batch * 250 + i, 1L, 1));
      }
      long before = states.read + states.written;
      operator.attach(states);
      operator.process(input(changes), 0);
      states.header = operator.save();
      touched[batch] = states.read + states.written - before;
    }
    assertTrue(Arrays.toString(touched), touched[59] < touched[9] * 3 / 2);
  }

  /** So does a change of one of many values of a group, in order. */
  @Test public void aChangeOfOneValueReadsAndWritesItsPage() {
    UpdatingGroupSpec spec = new UpdatingGroupSpec(List.of("k"), "n", List.of(new Call("least", "MIN", List.of("v"), "bigint")), List.of());
    FakeStates states = new FakeStates();
    UpdatingGroups operator = new UpdatingGroups(spec, SCHEMA);
    operator.open(states, null);
    operator.process(input(IntStream.range(0, 50_000).mapToObj(i -> new Change(1, i * 7919L % 50_000, 1)).toList()), 0);
    states.header = operator.save();
    long filled = states.written;
    operator.attach(states);
    Iterator<InternalRow> out = operator.process(input(List.of(new Change(1, 0L, -1), new Change(1, 25_000L, -1))), 0);
    assertEquals(0, out.next().getLong(1));
    assertEquals(1, out.next().getLong(1));
    long touched = states.read + states.written - filled;
    assertTrue(touched + " of " + filled, touched < filled / 10);
  }
}
