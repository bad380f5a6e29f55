package io.rowtime.state;

import java.util.function.BiConsumer;

/** Where an operator keeps what outlives a batch. */
public interface States {
  /** Values by keys of any form. */
  interface Entries {
    byte[] get(byte[] key);

    void put(byte[] key, byte[] value);

    void remove(byte[] key);

    void forEach(BiConsumer<byte[], byte[]> each);
  }

  Blocks blocks(String name);

  Entries entries(String name);
}
