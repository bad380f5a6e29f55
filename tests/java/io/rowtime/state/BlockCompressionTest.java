package io.rowtime.state;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Random;
import org.junit.Test;

public class BlockCompressionTest {
  @Test public void blocksComeBackAsTheyWere() {
    for (int size : new int[] {0, 1, 511, 512, 513, 4096, 1 << 20}) {
      byte[] random = new byte[size];
      new Random(size).nextBytes(random);
      byte[] repeated = new byte[size];
      for (int i = 0; i < size; i++) {
        repeated[i] = (byte) (i % 48);
      }
      assertArrayEquals(random, BlockCompression.expand(BlockCompression.compress(random)));
      assertArrayEquals(repeated, BlockCompression.expand(BlockCompression.compress(repeated)));
      assertTrue(BlockCompression.compress(random).length <= size + 1);
    }
    assertTrue(BlockCompression.compress(new byte[4096]).length < 100);
  }

  @Test public void missingBlockIsMissing() {
    assertNull(BlockCompression.expand(null));
  }

  @Test public void blocksOfAnotherLayoutAreRefused() {
    byte[] other = {77, 0, 0, 0, 9};
    assertThrows(IllegalStateException.class, () -> BlockCompression.expand(other));
  }
}
