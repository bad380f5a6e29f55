package io.rowtime.operator.hold;

import static org.junit.Assert.assertEquals;

import io.rowtime.state.FakeStates;
import io.rowtime.state.TaskOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.Test;

/** Hold, with restarts from its state, compared with a sorted list. */
public class HoldTest {
  private static final StructType SCHEMA =
      new StructType().add("release", DataTypes.TimestampType).add("n", DataTypes.IntegerType).add("text", DataTypes.StringType);

  /** A row of the test; release in milliseconds, null passes at once. */
  private record Item(Long release, int n) {
    InternalRow row() {
      return new GenericInternalRow(
          new Object[] {release == null ? null : release * 1000, n, UTF8String.fromString("row " + n)});
    }
  }

  private final FakeStates states = new FakeStates();
  private final Random restarts = new Random(1);
  private Hold hold;
  private long watermark;

  private List<Integer> process(List<InternalRow> rows) {
    if (hold != null && restarts.nextBoolean()) {
      hold.attach(states);
    } else {
      hold = new Hold(SCHEMA, 0, false);
      hold.open(states, states.header);
    }
    Iterator<InternalRow> out = hold.process(rows.iterator(), watermark * 1000);
    states.header = hold.save();
    return numbers(out);
  }

  private List<Integer> push(Item... items) {
    return process(Arrays.stream(items).map(Item::row).toList());
  }

  /** Like Spark: no step without rows before something is due. */
  private List<Integer> clock(long millis) {
    watermark = millis;
    return hold == null || hold.due() > millis * 1000 ? List.of() : process(List.of());
  }

  private void assertHoldsNothing() {
    assertEquals(0, states.size());
    assertEquals(0, states.header == null ? 0 : states.header.length);
    assertEquals(TaskOperator.NEVER, hold.due());
  }

  private static List<Integer> numbers(Iterator<InternalRow> rows) {
    List<Integer> found = new ArrayList<>();
    while (rows.hasNext()) {
      InternalRow row = rows.next();
      assertEquals("row " + row.getInt(1), row.getUTF8String(2).toString());
      found.add(row.getInt(1));
    }
    return found;
  }

  @Test public void releasesWhenTheClockReachesTheRow() {
    assertEquals(List.of(), push(new Item(20L, 1), new Item(10L, 2)));
    assertEquals(List.of(), clock(9));
    assertEquals(List.of(2), clock(10));
    assertEquals(List.of(), clock(19));
    assertEquals(List.of(1), clock(20));
    assertEquals(List.of(), clock(1000));
  }

  @Test public void equalReleasesComeInOrderOfArrival() {
    push(new Item(10L, 1), new Item(10L, 2));
    push(new Item(10L, 3), new Item(5L, 4), new Item(10L, 5));
    assertEquals(List.of(4, 1, 2, 3, 5), clock(10));
  }

  @Test public void whatIsDuePassesAtOnceAndLeavesNoState() {
    clock(50);
    assertEquals(List.of(3, 2, 1), push(new Item(50L, 1), new Item(49L, 2), new Item(null, 3)));
    assertHoldsNothing();
  }

  @Test public void stateIsEmptyOnceEverythingHasLeft() {
    push(new Item(10L, 1), new Item(20L, 2));
    clock(20);
    assertHoldsNothing();
  }

  /** A column is added, another one removed, and a third one becomes wider: rows that are held have NULL, or their values. */
  @Test public void heldRowsGetTheColumnsOfARestart() {
    Hold first = new Hold(SCHEMA, 0, true);
    first.open(states, null);
    List<InternalRow> rows = new ArrayList<>();
    for (int n = 0; n < 100; n++) {
      rows.add(new Item(20L + n % 7, n).row());
    }
    first.process(rows.iterator(), 0);
    StructType wider = new StructType().add("more", DataTypes.StringType).add("n", DataTypes.LongType).add("release", DataTypes.TimestampType);
    Hold second = new Hold(wider, 2, true);
    second.open(states, first.save());
    InternalRow added = new GenericInternalRow(new Object[] {UTF8String.fromString("x"), 100L, 20_000L});
    Iterator<InternalRow> out = second.process(List.of(added).iterator(), 20_000);
    List<String> found = new ArrayList<>();
    while (out.hasNext()) {
      InternalRow row = out.next();
      found.add(row.getUTF8String(0) + " " + row.getLong(1) + " " + row.getLong(2));
    }
    List<String> expected = new ArrayList<>();
    for (int n = 0; n < 100; n += 7) {
      expected.add("null " + n + " 20000");
    }
    expected.add("x 100 20000");
    assertEquals(expected, found);
    // What is still held has the new columns.
    Hold third = new Hold(wider, 2, true);
    third.open(states, second.save());
    out = third.process(List.<InternalRow>of().iterator(), 21_000);
    assertEquals(1L, out.next().getLong(1));
  }

  /** Random rows in random batches, with clock steps in between: each step releases the same rows as a sorted list. */
  @Test public void behavesLikeASortedList() {
    for (int seed = 0; seed < Integer.getInteger("cases", 200); seed++) {
      Random random = new Random(seed);
      HoldTest run = new HoldTest();
      List<Item> held = new ArrayList<>();
      long clock = 0;
      int n = 0;
      for (int step = 0; step < 60; step++) {
        List<Integer> got;
        if (random.nextInt(4) > 0) {
          Item[] batch = new Item[1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 3)];
          for (int i = 0; i < batch.length; i++) {
            batch[i] = new Item(random.nextInt(50) == 0 ? null : clock - 2 + random.nextInt(40), n++);
            held.add(batch[i]);
          }
          got = run.push(batch);
        } else {
          clock += 1 + random.nextInt(30);
          got = run.clock(clock);
        }
        assertEquals("seed " + seed + ", step " + step, release(held, clock), got);
      }
      assertEquals(release(held, Long.MAX_VALUE / 1000), run.clock(Long.MAX_VALUE / 1000));
      run.assertHoldsNothing();
    }
  }

  private static List<Integer> release(List<Item> held, long clock) {
    List<Item> due = held.stream().filter(item -> item.release() == null || item.release() <= clock).toList();
    held.removeAll(due);
    Comparator<Item> order = Comparator.comparing(Item::release, Comparator.nullsFirst(Comparator.naturalOrder()));
    return due.stream().sorted(order).map(Item::n).toList();
  }
}
