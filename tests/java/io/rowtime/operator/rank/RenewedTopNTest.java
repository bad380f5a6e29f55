package io.rowtime.operator.rank;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.operator.Cases;
import io.rowtime.operator.FedOperator;
import io.rowtime.operator.Item;
import io.rowtime.operator.Replay;
import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.RenewedTopNSpec;
import io.rowtime.operator.spec.TopNSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.After;
import org.junit.Test;

/**
 * Top-N of partitions that begin anew, compared with loops over all rows after every batch: random rows, limits, cuts, bounds, restarts, small
 * pages. No state is left when the bound has passed all rows.
 */
public class RenewedTopNTest {
  private static final List<String> COLUMNS = List.of("id", "k", "i", "t");

  private static RenewedTopNSpec spec(RankFunction function, int limit, boolean descending, List<RankFunction> ranks, long ttl, boolean early, long disorder) {
    return new RenewedTopNSpec(COLUMNS, List.of("k"), List.of(new Order("i", descending, !descending)), function, limit,
        ranks.stream().map(each -> new TopNSpec.Rank("r" + each, each)).toList(), "t", Item.CLOCK, "closes",
        Arrivals.always(disorder > 0 || !early, early ? (Long) (disorder * 1000) : null, early), ttl * 1000);
  }

  private static FedOperator operator(RenewedTopNSpec spec) {
    return new FedOperator(() -> new StagePipeline(TopNOperator.stages(spec, spec.arrivals().ordered(), Item.SCHEMA)));
  }

  /** Returns the first rows of all lives, with their ranks, of the rows that do not wait any more: their times are at most {@code bound}. */
  private static Map<List<Object>, Long> model(RenewedTopNSpec spec, List<Item> rows, long bound) {
    Map<Integer, List<List<Item>>> lives = new HashMap<>();
    for (Item item : rows.stream().filter(row -> row.time() <= bound).sorted(Comparator.comparingLong(Item::time)).toList()) {
      List<List<Item>> of = lives.computeIfAbsent(item.key(), missing -> new ArrayList<>());
      List<Item> life = of.isEmpty() ? null : of.get(of.size() - 1);
      if (life == null || (item.time() - life.get(life.size() - 1).time()) * 1000 > spec.ttl()) {
        life = new ArrayList<>();
        of.add(life);
      }
      life.add(item);
    }
    Map<List<Object>, Long> first = new HashMap<>();
    lives.values().forEach(of -> of.forEach(life -> first(spec, life).forEach(row -> first.merge(row, 1L, Long::sum))));
    return first;
  }

  private static List<List<Object>> first(RenewedTopNSpec spec, List<Item> life) {
    Order by = spec.order().get(0);
    Comparator<Integer> up = by.descending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
    Comparator<Integer> value = by.nullsFirst() ? Comparator.nullsFirst(up) : Comparator.nullsLast(up);
    List<Item> sorted = life.stream().sorted(Comparator.comparing((Item item) -> (Integer) item.value("i"), value)
        .thenComparing(Item::time).thenComparing(Item::id)).toList();
    List<List<Object>> first = new ArrayList<>();
    for (int place = 0; place < sorted.size(); place++) {
      Item row = sorted.get(place);
      List<Item> before = sorted.stream().filter(other -> value.compare((Integer) other.value("i"), (Integer) row.value("i")) < 0).toList();
      Map<RankFunction, Long> ranks = Map.of(RankFunction.ROW_NUMBER, place + 1L, RankFunction.RANK, before.size() + 1L,
          RankFunction.DENSE_RANK, before.stream().map(other -> String.valueOf(other.value("i"))).distinct().count() + 1);
      if (ranks.get(spec.function()) <= spec.limit()) {
        List<Object> columns = new ArrayList<>(Arrays.asList(row.id(), row.key(), row.value("i"), row.time() * 1000));
        spec.ranks().forEach(rank -> columns.add(ranks.get(rank.function())));
        first.add(columns);
      }
    }
    return first;
  }

  private static void apply(Iterator<InternalRow> from, int ranks, Map<List<Object>, Long> to, String what) {
    while (from.hasNext()) {
      InternalRow row = from.next();
      List<Object> columns = new ArrayList<>(Arrays.asList(row.getInt(0), row.isNullAt(1) ? null : (Object) row.getInt(1),
          row.isNullAt(2) ? null : (Object) row.getInt(2), row.getLong(3)));
      for (int i = 0; i < ranks; i++) {
        columns.add(row.getLong(4 + i));
      }
      long change = row.getLong(4 + ranks);
      assertTrue(what + ": a change", change != 0);
      long now = to.merge(columns, change, Long::sum);
      assertTrue(what + ": " + columns + " was there", now >= 0);
      to.values().removeIf(count -> count == 0);
    }
  }

  @After public void memory() {
    SortedPartitions.pageSize = 64;
  }

  @Test public void theFirstRowsOfAllLivesAreWhatTheModelSays() {
    int cases = Integer.getInteger("cases", 300);
    int some = 0;
    for (int seed = 0; seed < cases; seed++) {
      Random random = new Random(seed);
      long disorder = random.nextInt(3) == 0 ? 1 + random.nextInt(60) : 0;
      boolean early = random.nextBoolean();
      long ttl = 1L + random.nextInt(random.nextBoolean() ? 5 : 100);
      SortedPartitions.pageSize = 1 + random.nextInt(5);
      List<RankFunction> ranks = Arrays.stream(RankFunction.values()).filter(each -> random.nextInt(3) == 0).toList();
      RenewedTopNSpec spec = spec(RankFunction.values()[random.nextInt(3)], random.nextInt(5), random.nextBoolean(), ranks, ttl, early, disorder);
      // When a partition of this row would begin anew, in whole milliseconds.
      List<Item> rows = new Cases(random).rows(random.nextInt(250), disorder, 0).stream().map(item -> new Item(item.id(), item.key(),
          item.text(), item.time(), item.seq(), item.time() + ttl + 1, item.values())).toList();
      some += run(seed, random, spec, rows, disorder, early).size();
    }
    assertTrue("rows: " + some, some > 3 * cases);
  }

  private static Map<List<Object>, Long> run(int seed, Random random, RenewedTopNSpec spec, List<Item> rows, long disorder, boolean early) {
    boolean waits = disorder > 0 || !early;
    Map<List<Object>, Long> out = Replay.run(seed, random, spec, operator(spec), rows, disorder, batch -> batch.stream().map(Item::row).iterator(),
        new HashMap<>(), (from, to, what) -> apply(from, spec.ranks().size(), to, what), (arrived, clock, newest) -> model(spec, arrived,
            !waits ? Long.MAX_VALUE : early && newest != Long.MIN_VALUE ? Math.max(clock, newest - disorder) : clock));
    assertEquals("seed " + seed, model(spec, rows, Long.MAX_VALUE), out);
    return out;
  }

  /** With keys that never come again, the state has those of the last time alone, and the first rows of each. */
  @Test public void stateDoesNotGrowWithTheKeys() {
    RenewedTopNSpec spec = spec(RankFunction.ROW_NUMBER, 2, true, List.of(), 10, true, 0);
    FedOperator fed = operator(spec);
    int most = 0;
    for (int batch = 0; batch < 300; batch++) {
      long time = batch * 5L;
      List<InternalRow> rows = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        Object[] values = new Object[Item.COLUMNS.length];
        values[0] = i;
        rows.add(new Item(batch * 100 + i, batch * 20 + i % 20, "g", time, i, time + 11, values).row());
      }
      fed.process(rows.iterator(), time, batch % 7 == 0).forEachRemaining(row -> assertEquals(1, row.getLong(4)));
      fed.save();
      most = Math.max(most, fed.states.size());
    }
    // Three batches of 20 keys, each with its rows and its times, and the timers.
    assertTrue("entries: " + most, most > 20 && most <= 130);
  }
}
