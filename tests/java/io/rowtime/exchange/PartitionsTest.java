package io.rowtime.exchange;

import static org.junit.Assert.assertEquals;

import org.apache.spark.unsafe.hash.Murmur3_x86_32;
import org.junit.Test;

public class PartitionsTest {
  @Test public void eachPartitionHasAKeyThatSparkSendsThere() {
    for (int count : new int[] {1, 2, 3, 7, 64, 200, 4096}) {
      int[] keys = Partitions.keys(count);
      assertEquals(count, keys.length);
      for (int partition = 0; partition < count; partition++) {
        // How HashPartitioning computes the partition of an INTEGER column.
        assertEquals(partition, Math.floorMod(Murmur3_x86_32.hashInt(keys[partition], 42), count));
      }
    }
  }
}
