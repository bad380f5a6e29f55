package io.rowtime.state;

/** Storage for blocks of bytes by number; each block is one entry of state. */
public interface Blocks {
  byte[] get(long id);

  void put(long id, byte[] block);

  void remove(long id);
}
