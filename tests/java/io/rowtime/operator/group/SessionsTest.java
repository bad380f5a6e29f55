package io.rowtime.operator.group;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.operator.Cases;
import io.rowtime.operator.Item;
import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.SessionSpec;
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

/** Sessions, compared with loops over all rows: random rows, gaps, cuts, bounds, restarts, little memory. */
public class SessionsTest {
  private static SessionSpec spec(boolean byKey, long gap, boolean early, long disorder) {
    List<Call> calls = List.of(new Call("c", "COUNT", List.of(), "BIGINT"),
        new Call("least", "MIN", List.of("s"), "STRING"));
    return new SessionSpec(byKey ? List.of("k", "g") : List.of(), "t", Item.CLOCK, "closes",
        Arrivals.always(disorder > 0 || !early, early ? (Long) (disorder * 1000) : null, early), gap * 1000, calls);
  }

  private static String key(Item item, boolean byKey) {
    return byKey ? item.key() + " " + item.text() : "";
  }

  /** Returns the results of each session that has ended at {@code bound}, by key and start. */
  private static Map<String, List<Object>> model(boolean byKey, long gap, List<Item> rows, long bound) {
    Map<String, List<Item>> open = new HashMap<>();
    List<List<Item>> sessions = new ArrayList<>();
    for (Item item : rows.stream().sorted(Comparator.comparingLong(Item::time)).toList()) {
      String key = key(item, byKey);
      List<Item> session = open.get(key);
      if (session == null || item.time() - session.get(session.size() - 1).time() > gap) {
        session = new ArrayList<>();
        sessions.add(session);
        open.put(key, session);
      }
      session.add(item);
    }
    Map<String, List<Object>> results = new TreeMap<>();
    for (List<Item> session : sessions) {
      if (session.get(session.size() - 1).time() + gap < bound) {
        results.put(session.get(0).time() + " " + key(session.get(0), byKey), Arrays.asList((long) session.size(),
            session.stream().map(item -> (String) item.value("s")).filter(Objects::nonNull).min(String::compareTo).orElse(null)));
      }
    }
    return results;
  }

  private static void take(Iterator<InternalRow> from, boolean byKey, Map<String, List<Object>> to, String what) {
    while (from.hasNext()) {
      InternalRow row = from.next();
      int at = byKey ? 2 : 0;
      String key = row.getLong(at) / 1000 + " " + (byKey ? (row.isNullAt(0) ? null : row.getInt(0)) + " "
          + (row.isNullAt(1) ? null : row.getUTF8String(1)) : "");
      assertEquals(what + ": " + key + " comes twice", null, to.put(key, Arrays.asList(row.getLong(at + 1),
          row.isNullAt(at + 2) ? null : row.getUTF8String(at + 2).toString())));
    }
  }

  @After public void memory() {
    StoredSlots.inMemory = 1 << 17;
  }

  @Test public void everySessionIsWhatTheModelSays() {
    int cases = Integer.getInteger("cases", 300);
    int some = 0;
    for (int seed = 0; seed < cases; seed++) {
      Random random = new Random(seed);
      long disorder = random.nextInt(3) == 0 ? 1 + random.nextInt(60) : 0;
      boolean byKey = random.nextInt(4) > 0;
      boolean early = random.nextBoolean();
      long gap = 1L + random.nextInt(random.nextBoolean() ? 5 : 100);
      SessionSpec spec = spec(byKey, gap, early, disorder);
      StoredSlots.inMemory = random.nextBoolean() ? random.nextInt(6) : 1 << 17;
      // When a session of this row alone would end, in whole milliseconds.
      List<Item> rows = new Cases(random).rows(random.nextInt(250), disorder, 0).stream().map(item -> new Item(item.id(), item.key(),
          item.text(), item.time(), item.seq(), item.time() + gap + 1, item.values())).toList();
      Map<String, List<Object>> out = GroupReplay.run(seed, random, spec, rows, disorder,
          (from, to, what) -> take(from, byKey, to, what), (arrived, clock, newest) -> model(byKey, gap, arrived,
              early && newest != Long.MIN_VALUE ? Math.max(clock, newest - disorder) : clock));
      assertEquals("seed " + seed, model(byKey, gap, rows, Long.MAX_VALUE), out);
      some += out.size();
    }
    assertTrue("sessions: " + some, some > 3 * cases);
  }
}
