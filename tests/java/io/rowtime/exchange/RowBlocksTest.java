package io.rowtime.exchange;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.Test;

public class RowBlocksTest {
  private static final StructType ROW = new StructType().add("n", DataTypes.IntegerType).add("text", DataTypes.StringType)
      .add("key", DataTypes.IntegerType);
  private static final StructType BLOCK = new StructType().add("block", DataTypes.BinaryType).add("key", DataTypes.IntegerType);
  private static final int LARGE = 3 << 20;

  private final UnsafeProjection row = UnsafeProjection.create(ROW);
  private final UnsafeProjection block = UnsafeProjection.create(BLOCK);
  private final Random random = new Random(7);

  /** Returns rows of several partitions after a shuffle of their blocks: by key, in arrival order. */
  private Map<Integer, List<String>> moved(List<InternalRow> rows, boolean binary) {
    RowBlocks blocks = new RowBlocks("one");
    Map<Integer, List<InternalRow>> sent = new HashMap<>();
    for (InternalRow each : rows) {
      boolean full = blocks.add(each.getInt(2), row.apply(each));
      assertEquals(full, blocks.isFull());
      if (full) {
        send(blocks, sent, binary);
        assertFalse(blocks.isFull());
      }
    }
    send(blocks, sent, binary);
    assertFalse(blocks.release().hasNext());
    Map<Integer, List<String>> found = new HashMap<>();
    sent.forEach((key, all) -> new BlockRows(all.iterator(), ROW.length()).forEachRemaining(each -> {
      assertEquals((int) key, each.getInt(2));
      found.computeIfAbsent(key, any -> new ArrayList<>()).add(text(each));
    }));
    return found;
  }

  private void send(RowBlocks blocks, Map<Integer, List<InternalRow>> sent, boolean binary) {
    long bytes = 0;
    for (var each = blocks.release(); each.hasNext();) {
      InternalRow next = each.next();
      bytes += next.getBinary(BlockRows.BLOCK).length;
      sent.computeIfAbsent(next.getInt(1), any -> new ArrayList<>()).add(binary ? block.apply(next).copy() : next);
    }
    assertTrue("rows of one task in blocks: " + bytes, bytes < (1 << 20) + LARGE + 1000);
  }

  private static String text(InternalRow row) {
    return row.getInt(0) + " " + (row.isNullAt(1) ? null : row.getUTF8String(1).toString().hashCode() + " " + row.getUTF8String(1).numBytes());
  }

  private static Map<Integer, List<String>> expected(List<InternalRow> rows) {
    Map<Integer, List<String>> expected = new HashMap<>();
    rows.forEach(each -> expected.computeIfAbsent(each.getInt(2), any -> new ArrayList<>()).add(text(each)));
    return expected;
  }

  private List<InternalRow> rows(int count, int keys, int length) {
    List<InternalRow> rows = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      UTF8String text = n % 5 == 0 ? null : UTF8String.fromString("x".repeat(random.nextInt(length)) + n);
      rows.add(new GenericInternalRow(new Object[] {n, text, random.nextInt(keys)}));
    }
    return rows;
  }

  @Test public void rowsComeOutInTheOrderOfTheirArrival() {
    for (int keys : new int[] {1, 2, 7, 300}) {
      for (boolean binary : new boolean[] {false, true}) {
        List<InternalRow> rows = rows(20_000, keys, 200);
        assertEquals(expected(rows), moved(rows, binary));
      }
    }
  }

  @Test public void aRowMayBeLargerThanABlock() {
    List<InternalRow> rows = rows(50, 3, 10);
    rows.add(20, new GenericInternalRow(new Object[] {-1, UTF8String.fromString("y".repeat(LARGE)), 1}));
    assertEquals(expected(rows), moved(rows, true));
  }

  @Test public void withoutRowsThereAreNone() {
    assertFalse(new BlockRows(Collections.emptyIterator(), 3).hasNext());
  }
}
