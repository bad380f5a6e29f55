package io.rowtime.state;

import io.rowtime.state.values.Layout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * Compresses blocks for the state store: large ones with LZ4, which reduces them to a third in less time than the store
 * needs to write the difference.
 *
 * <p>The first byte of a stored block identifies the layout of the rest.
 */
final class BlockCompression {
  private static final byte PLAIN = 1;
  private static final byte LZ4 = 2;
  /** Smaller blocks are not compressed, because they gain nothing. */
  private static final int MIN_LENGTH = 512;
  private static final int LZ4_HEADER = 1 + Integer.BYTES;

  private static final LZ4Compressor COMPRESSOR = LZ4Factory.fastestInstance().fastCompressor();
  private static final LZ4SafeDecompressor DECOMPRESSOR = LZ4Factory.fastestInstance().safeDecompressor();

  private BlockCompression() {}

  static byte[] compress(byte[] block) {
    if (block.length >= MIN_LENGTH) {
      byte[] stored = new byte[LZ4_HEADER + COMPRESSOR.maxCompressedLength(block.length)];
      int size = COMPRESSOR.compress(block, 0, block.length, stored, LZ4_HEADER);
      if (size < block.length - block.length / 8) {
        ByteBuffer.wrap(stored).put(LZ4).putInt(block.length);
        return Arrays.copyOf(stored, LZ4_HEADER + size);
      }
    }
    byte[] stored = new byte[1 + block.length];
    stored[0] = PLAIN;
    System.arraycopy(block, 0, stored, 1, block.length);
    return stored;
  }

  /** @param stored the result of {@link #compress}, or null, for which the result is null */
  static byte[] expand(byte[] stored) {
    if (stored == null) {
      return null;
    }
    if (stored[0] == PLAIN) {
      return Arrays.copyOfRange(stored, 1, stored.length);
    }
    Layout.check(stored[0], LZ4);
    byte[] block = new byte[ByteBuffer.wrap(stored).getInt(1)];
    DECOMPRESSOR.decompress(stored, LZ4_HEADER, stored.length - LZ4_HEADER, block, 0);
    return block;
  }
}
