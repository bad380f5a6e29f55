package io.rowtime.rowfault;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.Test;

public class PositionTest {
  private static final StructType FILE = new StructType().add("row", DataTypes.LongType).add("of", DataTypes.StringType);
  private static final StructType NUMBER = new StructType().add("number", DataTypes.LongType);
  private static final StructType OFFSET = new StructType().add("partition", DataTypes.LongType).add("offset", DataTypes.LongType);

  private static void isPosition(String text, StructType type, Object... values) {
    InternalRow row = new GenericInternalRow(values);
    assertEquals(text, Position.text(row, type));
    assertEquals(row, Position.parse(text, type));
  }

  @Test public void aTextIsThatOfOnePosition() {
    isPosition("row 17 of file:/a b/x of y.parquet", FILE, 17L, UTF8String.fromString("file:/a b/x of y.parquet"));
    isPosition("number -3", NUMBER, -3L);
    isPosition("partition 0, offset 9223372036854775807", OFFSET, 0L, Long.MAX_VALUE);
  }

  @Test public void otherTextsAreNoPositions() {
    for (String text : new String[] {"", "row", "row x of file:/a", "row 1", "byte 1 of file:/a", "Row 1 of file:/a", "row 1, of file:/a"}) {
      assertNull(text, Position.parse(text, FILE));
    }
    assertNull(Position.parse("number 3 of it", NUMBER));
    assertNull(Position.parse("number 99999999999999999999", NUMBER));
    assertNull(Position.parse("offset 1, partition 0", OFFSET));
  }
}
