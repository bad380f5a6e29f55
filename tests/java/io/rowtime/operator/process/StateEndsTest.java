package io.rowtime.operator.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import io.rowtime.api.InputRow;
import io.rowtime.api.ProcessContext;
import io.rowtime.api.ProcessTableFunction;
import io.rowtime.operator.Cases;
import io.rowtime.operator.FedOperator;
import io.rowtime.operator.Item;
import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.ProcessSpec;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.time.Duration;
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
 * States that expire one by one, compared with a loop over all writes: random rows, cuts, bounds, restarts, little
 * memory.
 */
public class StateEndsTest {
  private static final long VALUE = 7;
  private static final long LIST = 23;
  private static final long ENTRY = 40;
  private static final long LOOK = 15;

  /** Emits the contents of the value, the list and the map at each row, and at a timer after the latest. */
  public static final class Rule implements ProcessTableFunction {
    @Override public void process(InputRow row, ProcessContext context) {
      int id = row.get("id", Integer.class);
      var count = context.value("count", Integer.class, Duration.ofMillis(VALUE));
      count.set(count.orElse(0) + 1);
      context.list("ids", Integer.class, Duration.ofMillis(LIST)).add(id);
      context.map("latest", Integer.class, Integer.class, Duration.ofMillis(ENTRY)).put(id % 5, id);
      context.setTimer("look", context.rowtime().plusMillis(LOOK));
      seen(context);
    }

    @Override public void onTimer(String timer, ProcessContext context) {
      seen(context);
    }

    /** Reading needs no time to live. */
    private static void seen(ProcessContext context) {
      context.emit((long) context.value("count", Integer.class).orElse(0), context.list("ids", Integer.class).get().toString()
          + context.map("latest", Integer.class, Integer.class).entries());
    }
  }

  private record Found(long rowtime, String key, long count, String kept) {}

  private static final Comparator<Found> ORDER = Comparator.comparingLong(Found::rowtime).thenComparing(Found::key).thenComparing(Found::kept)
      .thenComparing(Found::count);

  /** The writes of a key. */
  private static final class Writes {
    private long counted = Long.MIN_VALUE / 2;
    private long listed = Long.MIN_VALUE / 2;
    private long count;
    private long timer = Long.MAX_VALUE;
    private final List<Integer> ids = new ArrayList<>();
    private final Map<Integer, Integer> latest = new LinkedHashMap<>();
    private final Map<Integer, Long> put = new HashMap<>();

    private Found seen(long now, String key) {
      forget(now);
      return new Found(now, key, count, ids.toString() + latest);
    }

    private void forget(long now) {
      count = now < counted + VALUE ? count : 0;
      if (now >= listed + LIST) {
        ids.clear();
      }
      latest.keySet().removeIf(key -> now >= put.get(key) + ENTRY);
    }

    private void write(long now, int id) {
      forget(now);
      count++;
      counted = now;
      ids.add(id);
      listed = now;
      latest.put(id % 5, id);
      put.put(id % 5, now);
      timer = now + LOOK;
    }
  }

  private static List<Found> model(List<Item> rows, long bound) {
    Map<String, Writes> keys = new HashMap<>();
    List<Found> found = new ArrayList<>();
    for (Item item : rows.stream().sorted(Comparator.comparingLong(Item::time).thenComparingLong(Item::seq)).toList()) {
      String name = String.valueOf(item.key());
      Writes key = keys.computeIfAbsent(name, n -> new Writes());
      if (key.timer <= item.time()) {
        found.add(key.seen(key.timer, name));
      }
      key.write(item.time(), item.id());
      found.add(key.seen(item.time(), name));
    }
    keys.forEach((name, key) -> {
      if (key.timer <= bound) {
        found.add(key.seen(key.timer, name));
      }
    });
    return found.stream().filter(each -> each.rowtime <= bound).sorted(ORDER).toList();
  }

  private static FedOperator operator() {
    ProcessSpec spec = new ProcessSpec("RULE", ProcessSpec.Language.JAVA, Rule.class.getName(), List.of("k"), "t", "seq",
        List.of(new ProcessSpec.Column("id", "ID")), List.of(),
        List.of(new ProcessSpec.Result("COUNT", "BIGINT", "BIGINT"), new ProcessSpec.Result("KEPT", "VARCHAR", "STRING")),
        Item.CLOCK, 0, null, Arrivals.always(false, 0L, false));
    return new FedOperator(() -> {
      ProcessColumns columns = new ProcessColumns(spec, Item.SCHEMA);
      return new StagePipeline(ProcessOperator.stages(spec, spec.arrivals().ordered(), Item.SCHEMA, columns, new JavaProcessor(spec, columns, Map.of())));
    });
  }

  @After public void memory() {
    OpenPartitions.inMemory = 1 << 17;
  }

  @Test public void everyReadIsWhatTheModelSays() {
    int cases = Integer.getInteger("cases", 200);
    int some = 0;
    for (int seed = 0; seed < cases; seed++) {
      Random random = new Random(seed);
      OpenPartitions.inMemory = random.nextBoolean() ? random.nextInt(6) : 1 << 17;
      List<Item> rows = new Cases(random).rows(random.nextInt(200), 0, 0);
      FedOperator operator = operator();
      List<Found> out = new ArrayList<>();
      long clock = -500_000;
      for (int from = 0; from < rows.size();) {
        int to = Math.min(rows.size(), from + 1 + random.nextInt(random.nextBoolean() ? 4 : 60));
        take(operator.process(rows.subList(from, to).stream().map(Item::row).iterator(), clock, random.nextInt(4) == 0), out);
        operator.save();
        long next = rows.stream().skip(to).mapToLong(Item::time).min().orElse(Long.MAX_VALUE);
        if (random.nextBoolean() && next != Long.MAX_VALUE) {
          clock = Math.max(clock, next);
        }
        if (operator.due() <= clock) {
          take(operator.process(List.<InternalRow>of().iterator(), clock, random.nextInt(4) == 0), out);
          operator.save();
        }
        from = to;
      }
      long end = rows.isEmpty() ? 0 : rows.get(rows.size() - 1).time() + 100_000;
      take(operator.process(List.<InternalRow>of().iterator(), end, true), out);
      operator.save();
      assertEquals("seed " + seed, model(rows, end), out.stream().sorted(ORDER).toList());
      assertEquals("seed " + seed + ": nothing is left when all has ended", 0, operator.states.size());
      some += out.size();
    }
    assertTrue("rows: " + some, some > 5 * cases);
  }

  /** A map whose keys are added and removed keeps expiry times of current keys only. */
  @Test public void endsFollowTheLastWrite() {
    PartitionStates states = new PartitionStates();
    for (long time = 0; time < 100_000; time++) {
      states.expire(time);
      states.put("m", time % 10, time, time + 5);
      states.set("v", time, time + 5);
    }
    assertEquals(100_000, states.earliestEnd());
    states.set("v", 1L, PartitionStates.NEVER);
    states.expire(100_002);
    assertEquals("{8=99998, 9=99999}", states.get("m").toString());
    PartitionStates loaded = new PartitionStates();
    Output saved = new Output();
    states.save(saved);
    loaded.load(new Input(saved.toBytes()));
    assertEquals(100_003, loaded.earliestEnd());
    loaded.remove("m");
    assertEquals(PartitionStates.NEVER, loaded.earliestEnd());
    loaded.expire(200_000);
    assertEquals(1L, loaded.get("v"));
    assertNull(loaded.get("m"));
  }

  /** State that was saved before expiry times existed does not expire. */
  @Test public void stateOfAnEarlierBuild() {
    Output saved = new Output();
    saved.number(1);
    saved.bytes(new byte[] {'n'});
    KeptValues.write(5, saved);
    PartitionStates states = new PartitionStates();
    states.load(new Input(saved.toBytes()));
    assertEquals(5, states.get("n"));
    assertEquals(PartitionStates.NEVER, states.earliestEnd());
  }

  @Test public void aTimeToLiveIsAMillisecondAtLeast() {
    JavaContext context = new JavaContext(null, Map.of(), 0);
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> context.value("n", Long.class, Duration.ofNanos(999_999)));
    assertEquals("the time to live of the state 'n' is PT0.000999999S, which is less than a millisecond", refused.getMessage());
    context.partition = new JavaPartition(null);
    context.list("l", Long.class, Duration.ofSeconds(Long.MAX_VALUE)).add(1L);
    assertEquals(PartitionStates.NEVER, context.partition.states.earliestEnd());
  }

  private static void take(Iterator<InternalRow> from, List<Found> to) {
    while (from.hasNext()) {
      InternalRow row = from.next();
      String key = row.isNullAt(1) ? "null" : String.valueOf(row.getInt(1));
      to.add(new Found(row.getLong(0) / 1000, key, row.getLong(2), row.getUTF8String(3).toString()));
    }
  }
}
