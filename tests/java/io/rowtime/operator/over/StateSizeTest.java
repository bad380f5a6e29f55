package io.rowtime.operator.over;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.operator.Item;
import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.Bound;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.operator.spec.Window;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** The amount that a batch reads and writes must not depend on the size of a window. */
public class StateSizeTest {
  private static final int KEYS = 20;

  private final List<Long> written = new ArrayList<>();
  private final List<Long> read = new ArrayList<>();
  private Replay replay;

  private static Bound preceding(long offset) {
    return new Bound(Bound.Kind.PRECEDING, BigDecimal.valueOf(offset));
  }

  private static OverSpec spec(boolean rows, Bound lower, Bound upper, String... functions) {
    List<Call> calls = new ArrayList<>();
    for (String function : functions) {
      calls.add(new Call(function, function, function.equals("COUNT") ? List.of() : List.of("i"),
          function.equals("SUM") || function.equals("COUNT") ? "BIGINT" : "INT"));
    }
    Window window = new Window(List.of(new Order("t", false, true)), rows, lower, upper, calls);
    return new OverSpec(List.of("k"), "t", Item.CLOCK, "seq", Arrivals.always(false, 0L, false), null, List.of(window));
  }

  /** Steps of 100 rows and one second of time each. */
  private void feed(OverSpec spec, int steps) {
    replay = new Replay(spec, null);
    for (int step = 0; step < steps; step++) {
      List<Item> batch = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        int id = step * 100 + i;
        batch.add(new Item(id, id * 7 % KEYS, null, step * 1000L + i, id, null,
            new Object[] {id * 31 % 1000, 1L, 1.0, 1f, BigDecimal.ONE, BigDecimal.ONE, "text", true}));
      }
      replay.states.written = 0;
      replay.states.read = 0;
      replay.step(batch, step * 1000L);
      written.add(replay.states.written);
      read.add(replay.states.read);
    }
  }

  private static long most(List<Long> values, int from, int to) {
    return values.subList(from, to).stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** A window of one hour fills, and continues; a batch always has the same cost. */
  @Test public void aLongWindowCostsWhatComesAndGoes() {
    feed(spec(false, preceding(3_600_000_000L), new Bound(Bound.Kind.CURRENT_ROW, null), "COUNT", "SUM", "MAX"),
        4000);
    long early = most(written, 10, 100);
    assertTrue(written.toString(), most(written, 3700, 4000) <= early + 16);
    assertEquals(0, most(read, 0, 3500));
    // One chunk leaves for each one that arrives.
    assertTrue("read " + most(read, 3700, 4000), most(read, 3700, 4000) <= early);
    // 100 rows, of each of which a key, a time and one number are kept.
    assertTrue("written " + early, early < 1500);
    assertTrue("held " + replay.states.bytes(), replay.states.bytes() < 4_000_000);
    assertEquals(3601 * 100 / KEYS, (Long) replay.results.get(399_999).get("COUNT") + 0, 10);
  }

  /** Frames of many rows: full pieces are written once. */
  @Test public void manyRowsCostWhatComesAndGoes() {
    feed(spec(true, preceding(10_000), new Bound(Bound.Kind.CURRENT_ROW, null), "SUM", "MIN"), 2500);
    long early = most(written, 20, 200);
    assertTrue("written " + early + ", then " + most(written, 2200, 2500), most(written, 2200,
        2500) <= early * 12 / 10 + 200);
    assertEquals(0, most(read, 100, 2500));
    // Pieces are removed when no frame can reach them any more.
    int pieces = KEYS * (10_000 / KeyRows.PIECE + 3);
    assertTrue(replay.states.toString(), replay.states.size() < pieces);
  }

  /** A frame without a start keeps values, not rows. */
  @Test public void allRowsBeforeAreAFewValues() {
    feed(spec(false, new Bound(Bound.Kind.UNBOUNDED_PRECEDING, null), preceding(0), "COUNT", "SUM", "MAX"), 300);
    assertTrue("held " + replay.states.bytes(), replay.states.bytes() < 5_000);
    assertEquals((299 * 100L + 99) / KEYS + 1, (Long) replay.results.get(29_990).get("COUNT") + 0, 6);
  }

  /** A restart reads the contents of the window once, and continues in the same way. */
  @Test public void aRestartReadsTheWindowOnce() {
    OverSpec spec = spec(false, preceding(60_000_000L), new Bound(Bound.Kind.CURRENT_ROW, null), "SUM");
    feed(spec, 200);
    long held = replay.states.bytes();
    StagePipeline again = new StagePipeline(OverStages.of(spec, spec.arrivals().ordered(), Item.SCHEMA));
    replay.states.read = 0;
    again.open(replay.states, replay.states.header);
    assertTrue("read " + replay.states.read + " of " + held, replay.states.read <= 3 * held);
  }
}
