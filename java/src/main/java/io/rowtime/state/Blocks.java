package io.rowtime.state;

/** Where blocks of bytes lie, by number: each is one entry of state. */
public interface Blocks {
  byte[] get(long id);

  void put(long id, byte[] block);

  void remove(long id);
}
