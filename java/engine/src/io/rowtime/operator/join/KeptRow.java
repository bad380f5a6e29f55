package io.rowtime.operator.join;

import io.rowtime.operator.join.RowBuckets.Page;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;

/** A row of an input of an updating join, in Spark's binary format, with how often the input has it. Equal rows are one. */
final class KeptRow {
  private static final int SEED = 17;

  final byte[] bytes;
  private int hash;
  private boolean hashed;
  /** How often the input has the row: before the batch, and after it. */
  long before;
  long count;
  /** How many rows of the other input it matches, before the batch and after it; kept only if the join needs it. */
  long matchesBefore;
  long matches;
  /** Whether the batch changes the count, and whether it is listed among the rows whose matches change. */
  boolean changed;
  boolean listed;
  /** Where it is kept; null for a row of a batch. */
  Page page;

  KeptRow(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Points {@code to} at the row. */
  UnsafeRow get(UnsafeRow to) {
    to.pointTo(bytes, bytes.length);
    return to;
  }

  @Override public boolean equals(Object other) {
    return other instanceof KeptRow row && hashCode() == row.hashCode() && Arrays.equals(bytes, row.bytes);
  }

  /** It is stored by this number, which is the same in every process. */
  @Override public int hashCode() {
    if (!hashed) {
      hash = Murmur3_x86_32.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length, SEED);
      hashed = true;
    }
    return hash;
  }
}
