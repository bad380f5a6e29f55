package io.rowtime.operator.rank;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/**
 * Orders rows by their content, so that among rows that are otherwise equal the same ones always come first, wherever
 * and whenever they arrive. The order has no meaning: columns are compared by their bytes.
 */
final class RowContent {
  private final boolean[] fixed;

  /** @param schema the first columns of the rows; further columns are not compared */
  RowContent(StructType schema) {
    fixed = new boolean[schema.length()];
    for (int i = 0; i < fixed.length; i++) {
      fixed[i] = UnsafeRow.isFixedLength(schema.apply(i).dataType());
    }
  }

  int compare(UnsafeRow left, UnsafeRow right) {
    for (int i = 0; i < fixed.length; i++) {
      int compared = compare(left, right, i);
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  private int compare(UnsafeRow left, UnsafeRow right, int field) {
    boolean leftNull = left.isNullAt(field);
    boolean rightNull = right.isNullAt(field);
    if (leftNull || rightNull) {
      return Boolean.compare(rightNull, leftNull);
    }
    long one = left.getLong(field);
    long other = right.getLong(field);
    return fixed[field] ? Long.compare(one, other) : bytes(left, one, right, other);
  }

  /** Compares values of variable length, whose offset and size are in a long. */
  private static int bytes(UnsafeRow left, long one, UnsafeRow right, long other) {
    int size = (int) one;
    int otherSize = (int) other;
    long at = left.getBaseOffset() + (one >>> 32);
    long otherAt = right.getBaseOffset() + (other >>> 32);
    for (int i = 0; i < Math.min(size, otherSize); i++) {
      int compared = Integer.compare(Platform.getByte(left.getBaseObject(), at + i) & 0xFF,
          Platform.getByte(right.getBaseObject(), otherAt + i) & 0xFF);
      if (compared != 0) {
        return compared;
      }
    }
    return Integer.compare(size, otherSize);
  }
}
