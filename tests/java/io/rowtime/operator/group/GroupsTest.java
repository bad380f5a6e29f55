package io.rowtime.operator.group;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.operator.Cases;
import io.rowtime.operator.Item;
import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.GroupSpec;
import io.rowtime.state.FakeStates;
import io.rowtime.state.StoredSlots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.After;
import org.junit.Test;

/**
 * Groups that close, compared with loops over all rows: random rows, periods, cuts, bounds, restarts, little memory.
 */
public class GroupsTest {
  private static final int KEYS = 3;
  private static final List<Call> SMALL = List.of(call("c", "COUNT", List.of(), false), call("most", "MAX", List.of("l"), false));
  private static final List<Call> OTHERS = List.of(call("texts", "COUNT", List.of("s"), true), call("sum", "SUM", List.of("i"), true),
      call("ints", "COUNT", List.of("i"), true), new Call("middle", "MEDIAN", List.of("i"), "DOUBLE"));

  private static Call call(String name, String function, List<String> args, boolean distinct) {
    return new Call(name, function, args, null, null, null, distinct, false, null, "bigint");
  }

  /** @param others which of {@code OTHERS} to use, as bits */
  private static GroupSpec spec(boolean small, int others, boolean early, long disorder) {
    return spec(small ? SMALL : List.of(), others, early, disorder, List.of());
  }

  private static GroupSpec spec(List<Call> small, int others, boolean early, long disorder, List<Call> combine) {
    List<Call> calls = new ArrayList<>(small);
    for (int i = 0; i < OTHERS.size(); i++) {
      if ((others >> i & 1) == 1) {
        calls.add(OTHERS.get(i));
      }
    }
    return new GroupSpec(List.of("k", "g"), List.of("closes", "k", "g"), "closes", "t", Item.CLOCK,
        Arrivals.always(false, disorder * 1000, early), calls, combine);
  }

  private static String key(Item item) {
    return (item.closes() == null ? null : item.closes() + Item.SHIFT) + " " + item.key() + " " + item.text();
  }

  /** Returns the result of each group that is complete at {@code bound}, in milliseconds. */
  private static Map<String, List<Object>> model(boolean small, int others, List<Item> rows, long bound) {
    Map<String, List<Item>> groups = new HashMap<>();
    for (Item item : rows) {
      if (item.closes() != null && item.closes() <= bound) {
        groups.computeIfAbsent(key(item), missing -> new ArrayList<>()).add(item);
      }
    }
    Map<String, List<Object>> results = new TreeMap<>();
    groups.forEach((key, its) -> {
      Stream<Integer> ints = its.stream().map(item -> (Integer) item.value("i")).filter(Objects::nonNull);
      List<Integer> sorted = ints.sorted().toList();
      List<Integer> once = sorted.stream().distinct().toList();
      List<Object> all = new ArrayList<>();
      if (small) {
        all.add((long) its.size());
        all.add(its.stream().map(item -> (Long) item.value("l")).filter(Objects::nonNull).max(Long::compare).orElse(null));
      }
      Object[] found = {its.stream().map(item -> item.value("s")).filter(Objects::nonNull).distinct().count(),
          once.isEmpty() ? null : (Long) once.stream().mapToLong(i -> i).sum(), (long) once.size(),
          sorted.isEmpty() ? null
              : (Double) ((sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2.0)};
      for (int i = 0; i < found.length; i++) {
        if ((others >> i & 1) == 1) {
          all.add(found[i]);
        }
      }
      results.put(key, all);
    });
    return results;
  }

  private static void take(Iterator<InternalRow> from, boolean small, int others, Map<String, List<Object>> to, String what) {
    long latest = Long.MIN_VALUE;
    while (from.hasNext()) {
      InternalRow row = from.next();
      long closes = row.getLong(0);
      assertTrue(what + ": groups that have ended first come out first", closes >= latest);
      latest = closes;
      String key = closes / 1000 + " " + (row.isNullAt(1) ? null : row.getInt(1)) + " "
          + (row.isNullAt(2) ? null : row.getUTF8String(2));
      List<Object> values = new ArrayList<>();
      int columns = (small ? 2 : 0) + Integer.bitCount(others);
      boolean middle = (others >> 3 & 1) == 1;
      for (int i = 0; i < columns; i++) {
        values.add(row.isNullAt(KEYS + i) ? null
            : middle && i == columns - 1 ? (Object) row.getDouble(KEYS + i) : (Object) row.getLong(KEYS + i));
      }
      assertEquals(what + ": " + key + " comes twice", null, to.put(key, values));
    }
  }

  @After public void memory() {
    StoredSlots.inMemory = 1 << 17;
    PartialAggregate.most = 1 << 17;
    PartialAggregate.few = 1 << 10;
    PartialAggregate.tried = 1 << 15;
  }

  @Test public void everyGroupIsWhatTheModelSays() {
    for (int seed = 0; seed < Integer.getInteger("cases", 300); seed++) {
      Random random = new Random(seed);
      long disorder = random.nextInt(3) == 0 ? 1 + random.nextInt(60) : 0;
      boolean small = random.nextInt(4) > 0;
      int others = small && random.nextInt(4) == 0 ? 0 : 1 + random.nextInt((1 << OTHERS.size()) - 1);
      boolean early = random.nextBoolean();
      GroupSpec spec = spec(small, others, early, disorder);
      StoredSlots.inMemory = random.nextBoolean() ? random.nextInt(6) : 1 << 17;
      List<Item> rows = new Cases(random).rows(random.nextInt(250), disorder, 1 + random.nextInt(80));
      Map<String, List<Object>> out = GroupReplay.run(seed, random, spec, rows, disorder,
          (from, to, what) -> take(from, small, others, to, what), (arrived, clock, newest) -> model(small, others, arrived,
              early && newest != Long.MIN_VALUE ? Math.max(clock, newest - disorder) : clock));
      assertEquals("seed " + seed, model(small, others, rows, Long.MAX_VALUE), out);
    }
  }

  private static final StructType SENT = new StructType(Stream.of("closes", "k", "g", "t", "l", "one", "s", "i")
      .map(name -> name.equals("one") ? new StructField(name, DataTypes.LongType, false, Metadata.empty()) : Item.SCHEMA.apply(name))
      .toArray(StructField[]::new));

  /** Splits each batch into several tasks with a partial aggregation each. */
  private static GroupReplay.Way combineInTasks(CombinedRows combined, Random random) {
    UnsafeProjection binary = UnsafeProjection.create(combined.input());
    return new GroupReplay.Way() {
      @Override public StructType schema() {
        return combined.output();
      }

      @Override public Iterator<InternalRow> rows(List<Item> batch) {
        List<InternalRow> rows = new ArrayList<>();
        for (int from = 0, to; from < batch.size(); from = to) {
          to = Math.min(batch.size(), from + 1 + random.nextInt(30));
          // The rows are read one by one, each in the memory of the previous one.
          combined.of(batch.subList(from, to).stream().map(item -> binary.apply(sent(item, combined.input()))).iterator())
              .forEachRemaining(row -> rows.add(row.copy()));
        }
        return rows.iterator();
      }
    };
  }

  private static InternalRow sent(Item item, StructType columns) {
    InternalRow row = item.row();
    return new GenericInternalRow(Arrays.stream(columns.fields()).map(field -> field.name().equals("one") ? (Object) 1L
        : row.get(Item.SCHEMA.fieldIndex(field.name()), field.dataType())).toArray());
  }

  @Test public void rowsThatAreCombinedBeforeGiveTheSame() {
    Call most = call("most", "MAX", List.of("l"), false);
    Call sum = call("c", "SUM", List.of("one"), false);
    Call count = call("c", "COUNT", List.of("one"), false);
    for (int seed = 0; seed < Integer.getInteger("cases", 300); seed++) {
      Random random = new Random(seed);
      long disorder = random.nextInt(3) == 0 ? 1 + random.nextInt(60) : 0;
      boolean early = random.nextBoolean();
      // All except the median, which has no partial aggregation.
      int others = 1 + random.nextInt((1 << OTHERS.size() - 1) - 1);
      Call latest = new Call("latest", "MAX", List.of("t"), "TIMESTAMP");
      GroupSpec spec = spec(List.of(sum, most), others, early, disorder, List.of(random.nextBoolean() ? count : sum, most, latest));
      CombinedRows combined = new CombinedRows(spec, SENT);
      PartialAggregate.most = 1 + random.nextInt(40);
      PartialAggregate.few = 1 + random.nextInt(4);
      PartialAggregate.tried = 1 + random.nextInt(20);
      List<Item> rows = new Cases(random).rows(random.nextInt(250), disorder, 1 + random.nextInt(80));
      Map<String, List<Object>> out = GroupReplay.run(seed, random, spec, rows, disorder, combineInTasks(combined, random),
          (from, to, what) -> take(from, true, others, to, what), (arrived, clock, newest) -> model(true, others, arrived,
              early && newest != Long.MIN_VALUE ? Math.max(clock, newest - disorder) : clock));
      assertEquals("seed " + seed, model(true, others, rows, Long.MAX_VALUE), out);
    }
  }

  /** However many values a group has, a batch writes only new ones. */
  @Test public void aBatchWritesWhatIsNew() {
    GroupSpec spec = spec(true, 1, false, 0);
    FakeStates states = new FakeStates();
    StagePipeline operator = new StagePipeline(GroupStages.of(spec, spec.arrivals().ordered(), Item.SCHEMA));
    operator.open(states, null);
    long[] written = new long[40];
    for (int batch = 0; batch < written.length; batch++) {
      List<Item> rows = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        Object[] values = {i, (long) i, 1.0, 1f, null, null, "value " + (batch * 250 + i), true};
        rows.add(new Item(i, 1, null, 1000 + batch, 0, 100_000L, values));
      }
      long before = states.written;
      operator.attach(states);
      operator.process(rows.stream().map(Item::row).iterator(), 0);
      states.header = operator.save();
      written[batch] = states.written - before;
    }
    assertTrue(Arrays.toString(written), written[39] < written[1] * 3 / 2);
    operator = new StagePipeline(GroupStages.of(spec, spec.arrivals().ordered(), Item.SCHEMA));
    operator.open(states, states.header);
    Iterator<InternalRow> out = operator.process(java.util.Collections.emptyIterator(), (100_000 + Item.SHIFT) * 1000);
    InternalRow row = out.next();
    assertEquals(40 * 500, row.getLong(KEYS));
    assertEquals(39 * 250 + 500, row.getLong(KEYS + 2));
  }
}
