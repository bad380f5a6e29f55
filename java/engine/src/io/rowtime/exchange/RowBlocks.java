package io.rowtime.exchange;

import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * The rows that a task sends to an operator, as one block per partition: the shuffle then moves a few blocks and not
 * each row. A block contains the rows of its partition one after the other, in arrival order, each preceded by its
 * size.
 */
public final class RowBlocks extends MapSideBuffer {
  private static final long serialVersionUID = 1L;

  /** All blocks of a task are sent when their total size reaches this number of bytes. */
  private static final int MAX_BYTES = 1 << 20;
  private static final int SMALL = 1 << 12;
  /** The size of a row is stored in eight bytes, which keeps rows aligned. */
  static final int SIZE = Long.BYTES;

  /** The blocks by key; keys are small numbers. */
  private transient byte[][] blocks;
  private transient int[] filled;
  private transient int total;

  public RowBlocks(String id) {
    super(id);
  }

  /**
   * Adds a row to the block of the partition with this key; returns whether there is no more room. Called from generated
   * code.
   */
  public boolean add(int key, UnsafeRow row) {
    int size = row.getSizeInBytes();
    int at = reserve(key, size);
    Platform.copyMemory(row.getBaseObject(), row.getBaseOffset(), blocks[key], Platform.BYTE_ARRAY_OFFSET + (long) at, size);
    return isFull();
  }

  /**
   * Adds a row of this size, which the caller writes to the {@link #block} of its partition.
   *
   * @param key the key of the partition
   * @return the index of the row's first byte in the block
   */
  public int reserve(int key, int size) {
    if (blocks == null) {
      blocks = new byte[8][];
      filled = new int[8];
      register();
    }
    if (key >= blocks.length) {
      int length = Math.max(key + 1, blocks.length * 2);
      blocks = Arrays.copyOf(blocks, length);
      filled = Arrays.copyOf(filled, length);
    }
    byte[] block = blocks[key];
    int at = filled[key];
    int end = at + SIZE + size;
    if (block == null) {
      block = blocks[key] = new byte[Math.max(SMALL, end)];
    } else if (end > block.length) {
      block = blocks[key] = Arrays.copyOf(block, Math.max(block.length * 2, end));
    }
    Platform.putLong(block, Platform.BYTE_ARRAY_OFFSET + (long) at, size);
    filled[key] = end;
    total += SIZE + size;
    return at + SIZE;
  }

  /** Returns the block to which the last row of a partition was added. */
  public byte[] block(int key) {
    return blocks[key];
  }

  @Override public boolean isFull() {
    return total >= MAX_BYTES;
  }

  /** Returns the blocks that are not empty: the bytes, and the key of the partition. */
  @Override public Iterator<InternalRow> release() {
    total = 0;
    return IntStream.range(0, filled.length).filter(key -> filled[key] > 0).<InternalRow>mapToObj(key -> {
      byte[] block = Arrays.copyOf(blocks[key], filled[key]);
      filled[key] = 0;
      if (blocks[key].length > MAX_BYTES) {
        // It has grown for one large row.
        blocks[key] = null;
      }
      return new GenericInternalRow(new Object[] {block, key});
    }).iterator();
  }
}
