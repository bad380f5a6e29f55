package io.rowtime.exchange;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/** The rows in some {@link RowBlocks}, each valid until the next one is read. */
public final class BlockRows implements Iterator<InternalRow> {
  /** The index of the column that contains a block. */
  static final int BLOCK = 0;

  private final Iterator<InternalRow> blocks;
  private final UnsafeRow row;
  private Object base;
  private long at;
  private long end;

  /** @param columns the number of columns of each row */
  public BlockRows(Iterator<InternalRow> blocks, int columns) {
    this.blocks = blocks;
    this.row = new UnsafeRow(columns);
  }

  @Override public boolean hasNext() {
    while (at == end && blocks.hasNext()) {
      open(blocks.next());
    }
    return at < end;
  }

  private void open(InternalRow block) {
    if (block instanceof UnsafeRow unsafe) {
      // Read the location of the block, because getBinary would copy it.
      long place = unsafe.getLong(BLOCK);
      base = unsafe.getBaseObject();
      at = unsafe.getBaseOffset() + (place >> 32);
      end = at + (int) place;
    } else {
      byte[] bytes = block.getBinary(BLOCK);
      base = bytes;
      at = Platform.BYTE_ARRAY_OFFSET;
      end = at + bytes.length;
    }
  }

  @Override public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    int size = (int) Platform.getLong(base, at);
    row.pointTo(base, at + RowBlocks.SIZE, size);
    at += RowBlocks.SIZE + size;
    return row;
  }
}
