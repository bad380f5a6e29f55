package io.rowtime.state;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.junit.Test;

/** The amount that a hold writes must not depend on how much is held. */
public class HeldRowsTest {
  private static final class Counting implements Blocks {
    private static final long serialVersionUID = 1L;
    final Map<Long, byte[]> blocks = new HashMap<>();
    long written;

    @Override public byte[] get(long id) {
      return blocks.get(id);
    }

    @Override public void put(long id, byte[] block) {
      written += block.length;
      blocks.put(id, block);
    }

    @Override public void remove(long id) {
      blocks.remove(id);
    }
  }

  private static UnsafeRow row(long value) {
    UnsafeRow row = new UnsafeRow(1);
    row.pointTo(new byte[16], 16);
    row.setLong(0, value);
    return row;
  }

  private static byte[] add(Counting store, byte[] directory, long from, long count) {
    HeldRows held = new HeldRows(store, directory);
    RowBuffer buffer = new RowBuffer(held.nextArrival());
    for (long i = from; i < from + count; i++) {
      buffer.add(i, row(i));
    }
    held.add(buffer.toRun(), buffer.rows());
    held.compact();
    return held.directory();
  }

  @Test public void aBatchDoesNotRewriteWhatIsHeld() {
    Counting store = new Counting();
    byte[] directory = add(store, null, 0, 100_000);
    long before = store.written;
    for (int i = 0; i < 10_000; i++) {
      directory = add(store, directory, 100_000 + i, 1);
    }
    // 40 bytes per row; merging small blocks may write each some dozens of times, but not the 4 MB that are held.
    assertTrue("written: " + (store.written - before), store.written - before < 100L << 20);
    assertTrue("directory: " + directory.length, directory.length < 4_000);
    HeldRows held = new HeldRows(store, directory);
    Iterator<InternalRow> all = SortedRun.merge(held.release(Long.MAX_VALUE), 1);
    for (long i = 0; i < 110_000; i++) {
      assertEquals(i, all.next().getLong(0));
    }
    assertNull(held.directory());
    assertTrue(store.blocks.isEmpty());
  }

  @Test public void aReleaseWritesNothingButTheDirectory() {
    Counting store = new Counting();
    byte[] directory = add(store, null, 0, 100_000);
    long before = store.written;
    for (int clock = 0; clock < 1000; clock++) {
      HeldRows held = new HeldRows(store, directory);
      Iterator<InternalRow> released = SortedRun.merge(held.release(clock), 1);
      assertEquals(clock, released.next().getLong(0));
      assertTrue(!released.hasNext());
      directory = held.directory();
    }
    assertEquals(before, store.written);
  }
}
