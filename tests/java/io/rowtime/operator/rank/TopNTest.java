package io.rowtime.operator.rank;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.operator.Cases;
import io.rowtime.operator.Item;
import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.TopNSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.After;
import org.junit.Test;

/** The first rows of partitions, however rows are split into batches and tasks, compared with sorting them. */
public class TopNTest {
  private static final List<TopNSpec.Rank> RANKS = List.of(new TopNSpec.Rank("n", RankFunction.ROW_NUMBER),
      new TopNSpec.Rank("r", RankFunction.RANK), new TopNSpec.Rank("d", RankFunction.DENSE_RANK));

  @After public void usualSizes() {
    TopNStage.untidy = 1 << 10;
    PartialTopN.most = 1 << 17;
    PartialTopN.tried = 1 << 15;
  }

  private static void sizes(Random random) {
    TopNStage.untidy = random.nextInt(8);
    PartialTopN.most = 1 + random.nextInt(30);
    PartialTopN.tried = random.nextInt(20);
  }

  private static List<Order> order(Random random) {
    String[] columns = {"i", "dec", "d", "s", "t", "big", "ok"};
    List<Order> order = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      order.add(new Order(columns[random.nextInt(columns.length)], random.nextBoolean(), random.nextBoolean()));
    }
    return order;
  }

  private static TopNSpec spec(Random random, boolean seq, long disorder) {
    RankFunction function = RankFunction.values()[random.nextInt(3)];
    boolean early = random.nextBoolean();
    return new TopNSpec(List.of("k", "closes"), order(random), function, random.nextInt(5), RANKS, "t", Item.CLOCK, seq ? "seq" : null, "closes",
        Arrivals.always(false, early ? (Long) (disorder * 1000) : null, early));
  }

  @Test public void rowsAreThoseThatSortingGives() {
    for (int seed = 0; seed < Integer.getInteger("cases", 100); seed++) {
      Random random = new Random(5_000_000 + seed);
      sizes(random);
      long disorder = random.nextInt(3) == 0 ? 1 + random.nextInt(60) : 0;
      TopNSpec spec = spec(random, true, disorder);
      List<Item> rows = new Cases(random).rows(random.nextInt(300), disorder, 100);
      assertEquals("seed " + seed + " " + spec, model(spec, rows), new TopNReplay(spec, random).run(rows, disorder));
    }
  }

  /** Without an arrival order, the same rows are always chosen among those that differ only in their content. */
  @Test public void rowsDoNotDependOnHowTheyAreCut() {
    for (int seed = 0; seed < Integer.getInteger("cases", 100); seed++) {
      Random random = new Random(6_000_000 + seed);
      sizes(random);
      TopNSpec spec = spec(random, false, 0);
      List<Item> rows = withPeers(new Cases(random).rows(random.nextInt(200), 0, 100));
      Map<Integer, List<Long>> found = new TopNReplay(spec, new Random(seed)).run(rows, 0);
      assertEquals("seed " + seed + " " + spec, found, new TopNReplay(spec, new Random(-1 - seed)).run(rows, 0));
    }
  }

  /** Returns the same rows, with groups of ten that have the same time and values. */
  private static List<Item> withPeers(List<Item> rows) {
    List<Item> alike = new ArrayList<>();
    for (Item row : rows) {
      Item first = rows.get(alike.size() / 10 * 10);
      alike.add(new Item(row.id(), row.key(), row.text(), first.time(), row.seq(), first.closes(), first.values()));
    }
    return alike;
  }

  /** Returns the ranks of each row, by id. */
  private static Map<Integer, List<Long>> model(TopNSpec spec, List<Item> rows) {
    Comparator<Item> order = spec.order().stream().map(TopNTest::comparator).reduce(Comparator::thenComparing).orElseThrow();
    Map<Integer, List<Long>> found = new TreeMap<>();
    Map<List<Object>, List<Item>> partitions = rows.stream().collect(Collectors.groupingBy(row -> List.of("" + row.key(), row.closes())));
    for (List<Item> partition : partitions.values()) {
      for (Item row : partition) {
        long before = partition.stream().filter(other -> order.compare(other, row) < 0).count();
        long earlier = partition.stream().filter(other -> order.compare(other, row) == 0
            && (other.time() < row.time() || other.time() == row.time() && other.seq() < row.seq())).count();
        long dense = partition.stream().filter(other -> order.compare(other, row) < 0).map(other -> keys(spec, other)).distinct().count();
        List<Long> ranks = List.of(before + earlier + 1, before + 1, dense + 1);
        if (ranks.get(spec.function().ordinal()) <= spec.limit()) {
          found.put(row.id(), ranks);
        }
      }
    }
    return found;
  }

  private static List<String> keys(TopNSpec spec, Item row) {
    return spec.order().stream().map(key -> Objects.toString(row.value(key.column()))).toList();
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Comparator<Item> comparator(Order key) {
    Comparator<Object> values = (left, right) -> ((Comparable) left).compareTo(right);
    Comparator<Object> directed = key.descending() ? values.reversed() : values;
    Comparator<Object> all = key.nullsFirst() ? Comparator.nullsFirst(directed) : Comparator.nullsLast(directed);
    return (left, right) -> all.compare(left.value(key.column()), right.value(key.column()));
  }

  /**
   * Each row moves an earlier one beyond the limit. The size of the state, and of what a batch writes, is still
   * bounded.
   */
  @Test public void stateIsWhatCanStillWin() {
    TopNStage.untidy = 100;
    TopNSpec spec = new TopNSpec(List.of("closes"), List.of(new Order("i", true, false)), RankFunction.ROW_NUMBER, 3, RANKS, "t", Item.CLOCK,
        "seq", "closes", Arrivals.always(false, null, false));
    TopNReplay replay = new TopNReplay(spec, new Random(1));
    long held = 0;
    long written = 0;
    for (int batch = 0; batch < 2000; batch++) {
      List<Item> rows = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        int id = batch * 50 + i;
        rows.add(new Item(id, 1, null, 1000, id, 2000L, new Object[] {id, null, null, null, null, null, null, null}));
      }
      replay.batch(rows, 0);
      held = Math.max(held, replay.states().bytes());
      written += replay.states().written;
      replay.states().written = 0;
    }
    assertTrue("held " + held, held < 60_000);
    // Three rows, and a directory of their blocks.
    assertTrue("written " + written / 2000, written / 2000 < 3000);
    assertEquals(List.of(99_997, 99_998, 99_999), List.copyOf(replay.batch(List.of(), 2000).keySet()));
    assertEquals(0, replay.states().size());
  }
}
