package io.rowtime.operator.join;

import io.rowtime.exchange.PartitionKeys;
import io.rowtime.exchange.Partitions;
import io.rowtime.exchange.RowBlocks;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * Adds the rows of one input of a join to the blocks that are shuffled, with the columns that {@link JoinInput} reads.
 * Each task has its own copy.
 */
public final class PackedRows implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The size of a row's null bits and fixed-size columns; the key and the packed columns follow. */
  private static final int FIXED = Long.BYTES * (1 + JoinInput.COLUMNS);
  private static final long NO_KEY = 1L << JoinInput.KEY;

  private final RowBlocks blocks;
  private final int input;
  private final boolean together;
  private final SeenRows seen;
  private final PartitionKeys keys = new PartitionKeys();

  /**
   * @param input the number of the input
   * @param together whether all rows go to one partition
   * @param seen drops duplicates; null if they count
   */
  PackedRows(RowBlocks blocks, int input, boolean together, SeenRows seen) {
    this.blocks = blocks;
    this.input = input;
    this.together = together;
    this.seen = seen;
  }

  /**
   * Adds a row; returns whether the blocks are full. Called from generated code.
   *
   * @param time in microseconds; for an updating join, how often the row is added
   * @param key the columns of its key; if one of them is NULL, the row has no key
   * @param row the columns that the join needs
   */
  public boolean add(long time, UnsafeRow key, UnsafeRow row) {
    if (seen != null && !seen.isFirst(row)) {
      return false;
    }
    boolean hasKey = !key.anyNull();
    int keySize = hasKey ? key.getSizeInBytes() : 0;
    int rowSize = row.getSizeInBytes();
    int partition = keys.of(together ? 0 : Partitions.hash(hasKey ? key : row));
    int start = blocks.reserve(partition, FIXED + keySize + rowSize);
    byte[] block = blocks.block(partition);
    long at = Platform.BYTE_ARRAY_OFFSET + (long) start;
    Platform.putLong(block, at, hasKey ? 0 : NO_KEY);
    Platform.putLong(block, column(at, JoinInput.INPUT), input);
    Platform.putLong(block, column(at, JoinInput.TIME), time);
    Platform.putLong(block, column(at, JoinInput.KEY), hasKey ? (long) FIXED << 32 | keySize : 0);
    Platform.putLong(block, column(at, JoinInput.ROW), (long) (FIXED + keySize) << 32 | rowSize);
    Platform.putLong(block, column(at, JoinInput.PARTITION), partition);
    Platform.copyMemory(key.getBaseObject(), key.getBaseOffset(), block, at + FIXED, keySize);
    Platform.copyMemory(row.getBaseObject(), row.getBaseOffset(), block, at + FIXED + keySize, rowSize);
    return blocks.isFull();
  }

  private static long column(long row, int number) {
    return row + Long.BYTES * (1L + number);
  }
}
