package io.rowtime.operators;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TwsTester;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.Test;
import scala.Option;
import scala.collection.immutable.List$;
import scala.jdk.javaapi.CollectionConverters;

/** Hold in Spark's harness for stateful processors, against what a sorted list would do. */
public class HoldTest {
  private static final StructType SCHEMA =
      new StructType().add("release", DataTypes.TimestampType).add("n", DataTypes.IntegerType).add("text", DataTypes.StringType);

  /** A row as the test knows it; release in milliseconds, null passes at once. */
  private record Item(Long release, int n) {
    InternalRow row() {
      return new GenericInternalRow(
          new Object[] {release == null ? null : release * 1000, n, UTF8String.fromString("row " + n)});
    }
  }

  /** The harness drops rows below the watermark by an event time; ours have none. */
  private static final scala.Function1<InternalRow, Object> NEVER_LATE =
      (scala.Function1<InternalRow, Object> & Serializable) row -> Long.MAX_VALUE;

  private final TwsTester<Integer, InternalRow, InternalRow> spark = new TwsTester<>(
      new Hold(SCHEMA, 0), List$.MODULE$.empty(), TimeMode.EventTime(), OutputMode.Append(), Option.apply(NEVER_LATE));

  private List<Integer> push(Item... items) {
    List<InternalRow> rows = new ArrayList<>();
    for (Item item : items) {
      rows.add(item.row());
    }
    return numbers(spark.test(1, CollectionConverters.asScala(rows).toList()));
  }

  private List<Integer> clock(long millis) {
    return numbers(spark.setWatermark(millis));
  }

  private static List<Integer> numbers(scala.collection.immutable.List<InternalRow> rows) {
    List<Integer> found = new ArrayList<>();
    for (InternalRow row : CollectionConverters.asJava(rows)) {
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
    assertTrue(spark.peekValueState("directory", 1).isEmpty());
  }

  @Test public void stateIsEmptyOnceEverythingHasLeft() {
    push(new Item(10L, 1), new Item(20L, 2));
    clock(20);
    assertTrue(spark.peekValueState("directory", 1).isEmpty());
    assertTrue(spark.peekMapState("blocks", 1).isEmpty());
  }

  /** Random rows in random batches, clocks in between: each step releases what a sorted list would. */
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
      assertTrue(run.spark.peekMapState("blocks", 1).isEmpty());
    }
  }

  private static List<Integer> release(List<Item> held, long clock) {
    List<Item> due = held.stream().filter(item -> item.release() == null || item.release() <= clock).toList();
    held.removeAll(due);
    Comparator<Item> order = Comparator.comparing(Item::release, Comparator.nullsFirst(Comparator.naturalOrder()));
    return due.stream().sorted(order).map(Item::n).toList();
  }
}
