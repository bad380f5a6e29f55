package io.rowtime.operator.group;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.operator.Cases;
import io.rowtime.operator.FedOperator;
import io.rowtime.operator.Item;
import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.RenewedGroupSpec;
import io.rowtime.state.StoredSlots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.After;
import org.junit.Test;

/**
 * Groups that begin anew, compared with loops over all rows after every batch: random rows, limits, cuts, bounds, restarts, little memory.
 * No state is left when the bound has passed all rows.
 */
public class RenewedGroupsTest {
  private static RenewedGroupSpec spec(long ttl, boolean early, long disorder) {
    List<Call> calls = List.of(new Call("c", "COUNT", List.of(), "BIGINT"), new Call("least", "MIN", List.of("s"), "STRING"),
        new Call("different", "COUNT", List.of("s"), null, null, null, true, false, null, "BIGINT"));
    return new RenewedGroupSpec(List.of("k", "g"), "t", Item.CLOCK, "closes", Arrivals.always(disorder > 0 || !early,
        early ? (Long) (disorder * 1000) : null, early), ttl * 1000, calls);
  }

  /** Returns the results of all lives, by key and number, of the rows that do not wait any more: their times are at most {@code bound}. */
  private static Map<String, List<Object>> model(long ttl, List<Item> rows, long bound) {
    Map<String, List<List<Item>>> lives = new HashMap<>();
    for (Item item : rows.stream().filter(row -> row.time() <= bound).sorted(Comparator.comparingLong(Item::time)).toList()) {
      List<List<Item>> of = lives.computeIfAbsent(item.key() + " " + item.text(), missing -> new ArrayList<>());
      List<Item> life = of.isEmpty() ? null : of.get(of.size() - 1);
      if (life == null || item.time() - life.get(life.size() - 1).time() > ttl) {
        life = new ArrayList<>();
        of.add(life);
      }
      life.add(item);
    }
    Map<String, List<Object>> results = new TreeMap<>();
    lives.forEach((key, of) -> {
      for (int i = 0; i < of.size(); i++) {
        results.put(key + " " + i, Arrays.asList((long) of.get(i).size(),
            of.get(i).stream().map(item -> (String) item.value("s")).filter(Objects::nonNull).min(String::compareTo).orElse(null),
            of.get(i).stream().map(item -> item.value("s")).filter(Objects::nonNull).distinct().count()));
      }
    });
    return results;
  }

  /** Applies changes: only the result of the last life of a key is retracted, and one with another follows at once. */
  private static void take(Iterator<InternalRow> from, Map<String, List<Object>> to, String what) {
    String open = null;
    while (from.hasNext()) {
      InternalRow row = from.next();
      String key = (row.isNullAt(0) ? null : row.getInt(0)) + " " + (row.isNullAt(1) ? null : row.getUTF8String(1));
      int lives = 0;
      while (to.containsKey(key + " " + lives)) {
        lives++;
      }
      List<Object> result = Arrays.asList(row.getLong(2), row.isNullAt(3) ? null : row.getUTF8String(3).toString(), row.getLong(4));
      if (row.getLong(5) < 0) {
        open = key + " " + (lives - 1);
        assertEquals(what, to.remove(open), result);
      } else {
        assertTrue(what, open == null || open.equals(key + " " + lives));
        open = null;
        to.put(key + " " + lives, result);
      }
    }
    assertEquals(what, null, open);
  }

  @After public void memory() {
    StoredSlots.inMemory = 1 << 17;
  }

  /** With keys that never come again, the state has those of the last time alone. */
  @Test public void stateDoesNotGrowWithTheKeys() {
    RenewedGroupSpec spec = spec(10, true, 0);
    FedOperator fed = new FedOperator(() -> new StagePipeline(GroupStages.of(spec, spec.arrivals().ordered(), Item.SCHEMA)));
    int most = 0;
    for (int batch = 0; batch < 300; batch++) {
      long time = batch * 5L;
      List<InternalRow> rows = new ArrayList<>();
      for (int key = 0; key < 20; key++) {
        rows.add(new Item(key, batch * 20 + key, "g", time, key, time + 11, new Object[Item.COLUMNS.length]).row());
      }
      fed.process(rows.iterator(), time, batch % 7 == 0).forEachRemaining(row -> assertEquals(1, row.getLong(5)));
      fed.save();
      most = Math.max(most, fed.states.size());
    }
    // Three batches of 20 keys, and their timers.
    assertTrue("entries: " + most, most <= 80);
  }

  @Test public void theResultsOfAllLivesAreWhatTheModelSays() {
    int cases = Integer.getInteger("cases", 300);
    int some = 0;
    for (int seed = 0; seed < cases; seed++) {
      Random random = new Random(seed);
      long disorder = random.nextInt(3) == 0 ? 1 + random.nextInt(60) : 0;
      boolean early = random.nextBoolean();
      long ttl = 1L + random.nextInt(random.nextBoolean() ? 5 : 100);
      StoredSlots.inMemory = random.nextBoolean() ? random.nextInt(6) : 1 << 17;
      // When a group of this row would begin anew, in whole milliseconds.
      List<Item> rows = new Cases(random).rows(random.nextInt(250), disorder, 0).stream().map(item -> new Item(item.id(), item.key(),
          item.text(), item.time(), item.seq(), item.time() + ttl + 1, item.values())).toList();
      boolean waits = disorder > 0 || !early;
      Map<String, List<Object>> out = GroupReplay.run(seed, random, spec(ttl, early, disorder), rows, disorder, RenewedGroupsTest::take,
          (arrived, clock, newest) -> model(ttl, arrived, !waits ? Long.MAX_VALUE : early && newest != Long.MIN_VALUE ? Math.max(clock, newest - disorder) : clock));
      assertEquals("seed " + seed, model(ttl, rows, Long.MAX_VALUE), out);
      some += out.size();
    }
    assertTrue("lives: " + some, some > 3 * cases);
  }
}
