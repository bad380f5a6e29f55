package io.rowtime.operator.group;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.operator.Cases;
import io.rowtime.operator.Item;
import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.SessionWindowsSpec;
import io.rowtime.state.StoredSlots;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.After;
import org.junit.Test;

/**
 * SESSION as a table function, compared with loops over all rows: random rows, gaps, cuts, bounds, restarts, little
 * memory.
 */
public class SessionWindowsTest {
  private static SessionWindowsSpec spec(boolean byKey, long gap, boolean early, long disorder) {
    return new SessionWindowsSpec(byKey ? List.of("k", "g") : List.of(), "t", Item.CLOCK, "closes",
        Arrivals.always(disorder > 0 || !early, early ? (Long) (disorder * 1000) : null, early), gap * 1000);
  }

  /** Returns start and end of the session of each row whose session has ended at {@code bound}. */
  private static Map<String, List<Object>> model(boolean byKey, long gap, List<Item> rows, long bound) {
    Map<String, List<Item>> open = new HashMap<>();
    List<List<Item>> sessions = new ArrayList<>();
    for (Item item : rows.stream().sorted(Comparator.comparingLong(Item::time)).toList()) {
      String key = byKey ? item.key() + " " + item.text() : "";
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
      long end = session.get(session.size() - 1).time() + gap;
      if (end < bound) {
        session.forEach(item -> results.put("" + item.id(), List.of(session.get(0).time(), end)));
      }
    }
    return results;
  }

  /** Sessions are emitted when they end, and their rows in order of time and arrival. */
  private static void take(Iterator<InternalRow> from, Map<String, List<Object>> to, String what) {
    int width = Item.SCHEMA.length();
    long end = Long.MIN_VALUE;
    Map<String, Long> latest = new HashMap<>();
    while (from.hasNext()) {
      InternalRow row = from.next();
      String id = "" + row.getInt(0);
      assertEquals(what + ": " + id + " comes twice", null, to.put(id, List.of(row.getLong(width) / 1000, row.getLong(width + 1) / 1000)));
      assertTrue(what + ": " + id + " comes behind a session that ends later", row.getLong(width + 1) >= end);
      end = row.getLong(width + 1);
      String session = (row.isNullAt(1) ? null : row.getInt(1)) + " " + (row.isNullAt(2) ? null : row.getUTF8String(2)) + " " + end;
      long place = row.getLong(3) * 1000 + row.getInt(0);
      assertTrue(what + ": " + id + " comes behind a later row", latest.getOrDefault(session, Long.MIN_VALUE) < place);
      latest.put(session, place);
    }
  }

  @After public void memory() {
    StoredSlots.inMemory = 1 << 17;
  }

  @Test public void everyRowHasTheWindowThatTheModelSays() {
    int cases = Integer.getInteger("cases", 300);
    int some = 0;
    for (int seed = 0; seed < cases; seed++) {
      Random random = new Random(seed);
      long disorder = random.nextInt(3) == 0 ? 1 + random.nextInt(60) : 0;
      boolean byKey = random.nextInt(4) > 0;
      boolean early = random.nextBoolean();
      long gap = 1L + random.nextInt(random.nextBoolean() ? 5 : 100);
      StoredSlots.inMemory = random.nextBoolean() ? random.nextInt(6) : 1 << 17;
      // When a session of this row alone would end, in whole milliseconds.
      List<Item> rows = new Cases(random).rows(random.nextInt(250), disorder, 0).stream().map(item -> new Item(item.id(), item.key(),
          item.text(), item.time(), item.seq(), item.time() + gap + 1, item.values())).toList();
      Map<String, List<Object>> out = GroupReplay.run(seed, random, spec(byKey, gap, early, disorder), rows, disorder,
          SessionWindowsTest::take, (arrived, clock, newest) -> model(byKey, gap, arrived,
              early && newest != Long.MIN_VALUE ? Math.max(clock, newest - disorder) : clock));
      assertEquals("seed " + seed, rows.size(), out.size());
      some += out.size();
    }
    assertTrue("rows: " + some, some > 3 * cases);
  }
}
