package io.rowtime.over;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/**
 * Whether the first columns of a row are those of a key, without making a key of the row: rows of one group often come one
 * after the other. Where one of the columns is of no fixed length, it is not seen.
 */
final class Repeats {
  private static final int MOST = 32;

  private final int count;
  private final boolean seen;
  private final int bits;

  Repeats(int count, StructType schema) {
    this.count = count;
    boolean fixed = count > 0 && count <= MOST;
    for (int i = 0; i < count && fixed; i++) {
      fixed = UnsafeRow.isFixedLength(schema.apply(i).dataType());
    }
    seen = fixed;
    bits = UnsafeRow.calculateBitSetWidthInBytes(schema.length());
  }

  /** @param key the first columns of such a row, as the bytes of a row of their own */
  boolean isLike(UnsafeRow row, byte[] key) {
    if (!seen) {
      return false;
    }
    Object base = row.getBaseObject();
    long at = row.getBaseOffset();
    // NULLs are bits in the first word, and their own word is 0.
    long nulls = Platform.getLong(base, at) ^ Platform.getLong(key, Platform.BYTE_ARRAY_OFFSET);
    if ((nulls & (1L << count) - 1) != 0) {
      return false;
    }
    at += bits;
    long other = Platform.BYTE_ARRAY_OFFSET + 8L;
    for (int i = 0; i < count; i++, at += 8, other += 8) {
      if (Platform.getLong(base, at) != Platform.getLong(key, other)) {
        return false;
      }
    }
    return true;
  }
}
