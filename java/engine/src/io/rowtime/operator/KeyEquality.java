package io.rowtime.operator;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/**
 * Compares keys without hashing, because rows of one group often follow one another. Equality is not recognized if a
 * column has a variable length.
 */
public final class KeyEquality {
  private final boolean seen;

  public KeyEquality(StructType key) {
    seen = Arrays.stream(key.fields()).allMatch(field -> UnsafeRow.isFixedLength(field.dataType()));
  }

  public boolean isLike(UnsafeRow key, byte[] other) {
    if (!seen || key.getSizeInBytes() != other.length) {
      return false;
    }
    Object base = key.getBaseObject();
    long at = key.getBaseOffset();
    for (long i = 0; i < other.length; i += 8) {
      if (Platform.getLong(base, at + i) != Platform.getLong(other, Platform.BYTE_ARRAY_OFFSET + i)) {
        return false;
      }
    }
    return true;
  }
}
