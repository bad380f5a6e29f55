package io.rowtime.log;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.Test;
import org.roaringbitmap.RoaringBitmap;

public final class RowChangesTest {
  @Test public void aRowIsAddedOrRemovedByItsFileAndItsDeletionVectors() {
    String some = vector(1);
    String more = vector(1, 2);
    assertChanges("x>-", 1, 1, 1, 1);
    assertChanges("->x", -1, -1, -1, -1);
    assertChanges("->" + some, 0, -1, 0, 0);
    assertChanges(some + ">" + more, 0, 0, -1, 0);
    // A row may come back, as by RESTORE.
    assertChanges(more + ">" + some, 0, 0, 1, 0);
    assertChanges("x>" + more, 1, 0, 0, 1);
    assertChanges(more + ">x", -1, 0, 0, -1);
    // Between the two, the rows were moved elsewhere, and back.
    assertChanges("x>" + some + "|" + more + ">x", 0, 0, 1, 0);
  }

  private static void assertChanges(String said, long... expected) {
    RowChanges changes = new RowChanges(Map.of("other", "x>-", "file", said));
    UTF8String file = UTF8String.fromString("file");
    assertEquals(1, changes.of(UTF8String.fromString("other"), 0));
    assertArrayEquals(said, expected, IntStream.range(0, expected.length).mapToLong(row -> changes.of(file, row)).toArray());
  }

  private static String vector(int... rows) {
    RoaringBitmap bitmap = RoaringBitmap.bitmapOf(rows);
    ByteBuffer content = ByteBuffer.allocate(16 + bitmap.serializedSizeInBytes()).order(ByteOrder.LITTLE_ENDIAN);
    content.putInt(1681511377).putLong(1).putInt(0);
    bitmap.serialize(content);
    return "inline," + Base64.getEncoder().encodeToString(content.array());
  }
}
