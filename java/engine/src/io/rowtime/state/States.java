package io.rowtime.state;

import java.util.function.BiConsumer;

/** Storage for the state of an operator that survives a batch. */
public interface States {
  /** Values by keys of any format. */
  interface Entries {
    byte[] get(byte[] key);

    void put(byte[] key, byte[] value);

    void remove(byte[] key);

    void forEach(BiConsumer<byte[], byte[]> each);
  }

  Blocks blocks(String name);

  Entries entries(String name);
}
