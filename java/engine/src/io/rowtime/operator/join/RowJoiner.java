package io.rowtime.operator.join;

import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.bitset.BitSetMethods;

/**
 * Joins two rows in Spark's binary format to one: the columns of a left row, those of a right row, and a time. It copies
 * memory, and does not read the columns one by one.
 */
final class RowJoiner {
  /** One side of the joined row: its columns, and where they are. */
  private static final class Side {
    /** The number of columns. */
    final int count;
    /** The columns whose values are behind the fixed-size part of a row, by number. */
    final int[] variable;
    /** The size of a row's null bits and of its fixed-size part. */
    final int bits;
    final int size;
    /** The number of the first column in the joined row. */
    final int first;

    Side(StructType schema, int first) {
      this.count = schema.length();
      this.first = first;
      variable = IntStream.range(0, count).filter(column -> !UnsafeRow.isFixedLength(schema.apply(column).dataType())).toArray();
      bits = UnsafeRow.calculateBitSetWidthInBytes(count);
      size = bits + count * Long.BYTES;
    }
  }

  private final Side left;
  private final Side right;
  private final int bits;
  private final int size;
  private final UnsafeRow joined;
  private byte[] buffer = new byte[64];

  /**
   * @param left the columns of left rows
   * @param right the columns of right rows
   */
  RowJoiner(StructType left, StructType right) {
    this.left = new Side(left, 0);
    this.right = new Side(right, left.length());
    int count = left.length() + right.length() + 1;
    bits = UnsafeRow.calculateBitSetWidthInBytes(count);
    size = bits + count * Long.BYTES;
    joined = new UnsafeRow(count);
  }

  /**
   * Returns the joined row, valid until the next call. The columns of a side without a row are NULL.
   *
   * @param leftRow null for none
   * @param rightRow null for none
   * @param time in microseconds
   */
  UnsafeRow join(UnsafeRow leftRow, UnsafeRow rightRow, long time) {
    int length = size + variableSize(left, leftRow) + variableSize(right, rightRow);
    if (length > buffer.length) {
      buffer = new byte[Math.max(length, buffer.length * 2)];
    }
    for (int word = 0; word < bits; word += Long.BYTES) {
      Platform.putLong(buffer, Platform.BYTE_ARRAY_OFFSET + (long) word, 0);
    }
    int end = put(left, leftRow, size);
    end = put(right, rightRow, end);
    Platform.putLong(buffer, at(left.count + right.count), time);
    joined.pointTo(buffer, Platform.BYTE_ARRAY_OFFSET, end);
    return joined;
  }

  private static int variableSize(Side side, UnsafeRow row) {
    return row == null ? 0 : row.getSizeInBytes() - side.size;
  }

  /** Returns the address in the buffer of a column of the joined row. */
  private long at(int column) {
    return Platform.BYTE_ARRAY_OFFSET + bits + (long) column * Long.BYTES;
  }

  /** Copies the columns of one side; values of variable size go to {@code end} in the buffer. Returns the new end. */
  private int put(Side side, UnsafeRow row, int end) {
    if (row == null) {
      for (int column = side.first; column < side.first + side.count; column++) {
        BitSetMethods.set(buffer, Platform.BYTE_ARRAY_OFFSET, column);
        Platform.putLong(buffer, at(column), 0);
      }
      return end;
    }
    Object base = row.getBaseObject();
    long from = row.getBaseOffset();
    for (int word = 0; word < side.bits / Long.BYTES; word++) {
      putBits(Platform.getLong(base, from + (long) word * Long.BYTES), side.first + word * Long.SIZE);
    }
    Platform.copyMemory(base, from + side.bits, buffer, at(side.first), (long) side.count * Long.BYTES);
    int rest = row.getSizeInBytes() - side.size;
    if (rest > 0) {
      Platform.copyMemory(base, from + side.size, buffer, Platform.BYTE_ARRAY_OFFSET + (long) end, rest);
    }
    for (int column : side.variable) {
      if (!row.isNullAt(column)) {
        // The upper half of the word is the offset of the value in the row.
        long place = row.getLong(column) + ((long) (end - side.size) << 32);
        Platform.putLong(buffer, at(side.first + column), place);
      }
    }
    return end + rest;
  }

  /** Sets the null bits of up to 64 columns, starting with {@code column}. */
  private void putBits(long nulls, int column) {
    if (nulls == 0) {
      return;
    }
    long at = Platform.BYTE_ARRAY_OFFSET + (long) (column / Long.SIZE) * Long.BYTES;
    int shift = column % Long.SIZE;
    Platform.putLong(buffer, at, Platform.getLong(buffer, at) | nulls << shift);
    if (shift > 0 && nulls >>> Long.SIZE - shift != 0) {
      Platform.putLong(buffer, at + Long.BYTES, Platform.getLong(buffer, at + Long.BYTES) | nulls >>> Long.SIZE - shift);
    }
  }
}
