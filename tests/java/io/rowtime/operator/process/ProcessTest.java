package io.rowtime.operator.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.api.InputRow;
import io.rowtime.api.ListState;
import io.rowtime.api.MapState;
import io.rowtime.api.ProcessContext;
import io.rowtime.api.ProcessTableFunction;
import io.rowtime.api.ValueState;
import io.rowtime.operator.Cases;
import io.rowtime.operator.FedOperator;
import io.rowtime.operator.Item;
import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.ProcessSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.After;
import org.junit.Test;

/**
 * A function with states of all kinds and a timer, compared with a loop over all rows: random rows, cuts, bounds,
 * restarts, little memory.
 */
public class ProcessTest {
  private static final long GAP = 20;
  private static final int MAX_ROWS = 4;

  /**
   * Emits the rows of a key when none has arrived for a while, or there are enough, and their number since the state
   * was created.
   */
  public static final class Rule implements ProcessTableFunction {
    @Override public void process(InputRow row, ProcessContext context) {
      ValueState<Long> seen = context.value("seen", Long.class);
      seen.set(seen.orElse(0L) + 1);
      MapState<String, Integer> texts = context.map("texts", String.class, Integer.class);
      String text = String.valueOf(row.get("G"));
      texts.put(text, (texts.get(text) == null ? 0 : texts.get(text)) + 1);
      ListState<Integer> ids = context.list("ids", Integer.class);
      if (ids.get().isEmpty()) {
        context.value("first", Instant.class).set(context.rowtime());
      }
      ids.add(row.get("id", Integer.class));
      if (ids.get().size() == MAX_ROWS) {
        context.clearTimer("gap");
        end(context);
      } else {
        context.setTimer("gap", context.rowtime().plusMillis(GAP));
      }
    }

    @Override public void onTimer(String timer, ProcessContext context) {
      end(context);
    }

    private static void end(ProcessContext context) {
      String texts = context.map("texts", String.class, Integer.class).entries().toString();
      Instant earliest = context.rowtime().minusMillis(context.argument("delay", Long.class));
      Instant first = context.value("first", Instant.class).get();
      context.emitAt(first.isBefore(earliest) ? earliest : first, context.value("seen", Long.class).get(),
          context.list("ids", Integer.class).get() + texts);
      context.list("ids", Integer.class).clear();
    }
  }

  private record Found(long rowtime, String key, long seen, String ids) {}

  /** Returns the output for some rows at a bound, in order of ROWTIME. */
  private static List<Found> model(List<Item> rows, boolean byKey, long delay, Long ttl, long bound) {
    class Key {
      long seen;
      long latest = Long.MIN_VALUE;
      long timer = Long.MAX_VALUE;
      long first;
      final List<Integer> ids = new ArrayList<>();
      final Map<String, Integer> texts = new LinkedHashMap<>();
    }
    Map<String, Key> keys = new HashMap<>();
    List<Found> found = new ArrayList<>();
    List<Item> sorted = rows.stream().sorted(Comparator.comparingLong(Item::time).thenComparingLong(Item::seq)).toList();
    for (Item item : sorted) {
      String name = byKey ? String.valueOf(item.key()) : "";
      Key key = keys.computeIfAbsent(name, n -> new Key());
      if (key.timer <= item.time()) {
        end(found, name, key.timer, key.seen, key.ids, key.texts, key.first, delay);
        key.latest = key.timer;
        key.timer = Long.MAX_VALUE;
      }
      if (ttl != null && key.timer == Long.MAX_VALUE && key.latest != Long.MIN_VALUE && item.time() > key.latest + ttl) {
        key.seen = 0;
        key.texts.clear();
      }
      key.latest = item.time();
      key.seen++;
      key.texts.merge(String.valueOf(item.text()), 1, Integer::sum);
      if (key.ids.isEmpty()) {
        key.first = item.time();
      }
      key.ids.add(item.id());
      if (key.ids.size() == MAX_ROWS) {
        key.timer = Long.MAX_VALUE;
        end(found, name, item.time(), key.seen, key.ids, key.texts, key.first, delay);
      } else {
        key.timer = item.time() + GAP;
      }
    }
    keys.forEach((name, key) -> {
      if (key.timer <= bound && key.timer != Long.MAX_VALUE) {
        end(found, name, key.timer, key.seen, key.ids, key.texts, key.first, delay);
      }
    });
    return found.stream().filter(each -> bound == Long.MAX_VALUE || each.rowtime + delay <= bound).sorted(ORDER).toList();
  }

  private static final Comparator<Found> ORDER = Comparator.comparingLong(Found::rowtime).thenComparing(Found::key).thenComparing(Found::ids);

  private static void end(List<Found> to, String key, long now, long seen, List<Integer> ids, Map<String, Integer> texts, long first, long delay) {
    to.add(new Found(Math.max(first, now - delay), key, seen, ids.toString() + texts));
    ids.clear();
  }

  private static ProcessSpec spec(boolean byKey, boolean disordered, long delay, Long ttl) {
    return new ProcessSpec("RULE", ProcessSpec.Language.JAVA, Rule.class.getName(), byKey ? List.of("k") : List.of(), "t", "seq",
        List.of(new ProcessSpec.Column("k", "K"), new ProcessSpec.Column("id", "ID"), new ProcessSpec.Column("g", "G")), List.of(),
        List.of(new ProcessSpec.Result("SEEN", "BIGINT", "BIGINT"), new ProcessSpec.Result("IDS", "VARCHAR", "STRING")),
        Item.CLOCK, delay * 1000, ttl == null ? null : ttl * 1000, Arrivals.always(disordered, disordered ? null : (Long) 0L, false));
  }

  private static FedOperator operator(ProcessSpec spec) {
    return new FedOperator(() -> {
      ProcessColumns columns = new ProcessColumns(spec, Item.SCHEMA);
      Processor processor = new JavaProcessor(spec, columns, Map.of("DELAY", spec.delay() / 1000));
      return new StagePipeline(ProcessOperator.stages(spec, spec.arrivals().ordered(), Item.SCHEMA, columns, processor));
    });
  }

  @After public void memory() {
    OpenPartitions.inMemory = 1 << 17;
  }

  @Test public void everyRowIsWhatTheModelSays() {
    int cases = Integer.getInteger("cases", 300);
    int some = 0;
    for (int seed = 0; seed < cases; seed++) {
      Random random = new Random(seed);
      long disorder = random.nextInt(3) == 0 ? 1 + random.nextInt(60) : 0;
      boolean byKey = random.nextInt(4) > 0;
      long delay = random.nextBoolean() ? 0 : 1 + random.nextInt(100);
      Long ttl = random.nextBoolean() ? null : (Long) (1L + random.nextInt(150));
      OpenPartitions.inMemory = random.nextBoolean() ? random.nextInt(6) : 1 << 17;
      List<Item> rows = new Cases(random).rows(random.nextInt(250), disorder, 0);
      FedOperator operator = operator(spec(byKey, disorder > 0, delay, ttl));
      List<Found> out = new ArrayList<>();
      long clock = -500_000;
      for (int from = 0; from <= rows.size();) {
        int to = Math.min(rows.size(), from + random.nextInt(random.nextBoolean() ? 4 : 60));
        String what = "seed " + seed + ", rows " + from + " to " + to;
        take(operator.process(rows.subList(from, to).stream().map(Item::row).iterator(), clock, random.nextInt(4) == 0), byKey, out);
        operator.save();
        long next = rows.stream().skip(to).mapToLong(Item::time).min().orElse(Long.MAX_VALUE);
        if (random.nextBoolean() && next != Long.MAX_VALUE) {
          clock = Math.max(clock, next - random.nextInt(3) * 10L);
        }
        if (operator.due() <= clock) {
          take(operator.process(List.<InternalRow>of().iterator(), clock, random.nextInt(4) == 0), byKey, out);
          operator.save();
        }
        assertEquals(what, model(rows.subList(0, to), byKey, delay, ttl, clock), out.stream().sorted(ORDER).toList());
        if (to == rows.size()) {
          break;
        }
        from = to;
      }
      long end = rows.isEmpty() ? 0 : rows.stream().mapToLong(Item::time).max().getAsLong() + 100_000;
      take(operator.process(List.<InternalRow>of().iterator(), end, true), byKey, out);
      operator.save();
      assertEquals("seed " + seed, model(rows, byKey, delay, ttl, Long.MAX_VALUE), out.stream().sorted(ORDER).toList());
      for (int i = 1; i < out.size(); i++) {
        assertTrue("seed " + seed + ": in order", out.get(i - 1).rowtime <= out.get(i).rowtime);
      }
      some += out.size();
    }
    assertTrue("rows: " + some, some > 3 * cases);
  }

  /** A partition without data leaves nothing in state. */
  @Test public void stateEnds() {
    List<Item> rows = new Cases(new Random(1)).rows(200, 0, 0);
    FedOperator operator = operator(spec(true, false, 0, 50L));
    take(operator.process(rows.stream().map(Item::row).iterator(), 0, false), true, new ArrayList<>());
    operator.save();
    assertTrue(operator.states.size() > 0);
    take(operator.process(List.<InternalRow>of().iterator(), rows.get(199).time() + 1000, false), true, new ArrayList<>());
    operator.save();
    assertEquals(0, operator.states.size());
  }

  private static void take(Iterator<InternalRow> from, boolean byKey, List<Found> to) {
    while (from.hasNext()) {
      InternalRow row = from.next();
      int first = byKey ? 2 : 1;
      String key = !byKey ? "" : row.isNullAt(1) ? "null" : String.valueOf(row.getInt(1));
      to.add(new Found(row.getLong(0) / 1000, key, row.getLong(first), row.getUTF8String(first + 1).toString()));
    }
  }
}
