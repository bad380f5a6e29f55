package io.rowtime.claims;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.math.BigDecimal;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.junit.Test;

/** What counts as an earlier row, when micro-batches and tasks run again. */
public class NodeRecordTest {
  private final NodeRecord record = new NodeRecord(new boolean[] {false});
  private long attempts;

  private Evaluation task(long batch, String run, int partition) {
    return new Evaluation(batch, run, (int) batch, partition, attempts++);
  }

  private static BigDecimal[] values(Integer value) {
    return new BigDecimal[] {value == null ? null : BigDecimal.valueOf(value)};
  }

  private void runs(Evaluation task, int value, Integer before) {
    assertArrayEquals(values(before), record.before(task));
    record.finish(task, values(value));
  }

  private static UnsafeRow key(long value) {
    UnsafeRow row = new UnsafeRow(1);
    row.pointTo(new byte[16], 16);
    row.setLong(0, value);
    return row;
  }

  @Test public void aBatchIsComparedWithAllEarlierOnes() {
    runs(task(0, "a", 0), 5, null);
    runs(task(0, "a", 1), 9, null);
    runs(task(1, "a", 0), 7, 9);
    runs(task(2, "b", 0), 7, 9);
  }

  @Test public void aBatchThatRunsAgainReplacesItself() {
    runs(task(0, "a", 0), 5, null);
    runs(task(1, "a", 0), 8, 5);
    // After a restart: with other rows in the tasks.
    runs(task(1, "b", 1), 6, 5);
    runs(task(2, "b", 0), 7, 6);
  }

  @Test public void anOlderCheckpointStartsAnew() {
    runs(task(0, "a", 0), 5, null);
    runs(task(1, "a", 0), 8, 5);
    runs(task(0, "b", 0), 1, null);
  }

  @Test public void aTaskThatRunsAgainDoesNotCountTwice() {
    Evaluation first = task(0, "a", 0);
    assertEquals(1, record.add(0, key(1), first));
    assertEquals("the same task", 2, record.add(0, key(1), first));
    Evaluation again = task(0, "a", 0);
    assertEquals("another attempt", 1, record.add(0, key(1), again));
    assertEquals("another task", 2, record.add(0, key(1), task(0, "a", 1)));
    assertEquals("after a restart", 1, record.add(0, key(1), task(0, "b", 1)));
    assertEquals("another stage", 1, record.add(0, key(1), new Evaluation(0, "b", 77, 0, attempts++)));
    assertEquals("another claim", 1, record.add(1, key(1), task(1, "b", 0)));
    assertEquals("a later batch counts both readings", 3, record.add(0, key(1), task(1, "b", 0)));
  }
}
