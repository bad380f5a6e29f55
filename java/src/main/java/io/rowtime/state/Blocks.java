package io.rowtime.state;

import java.io.Serializable;

/** Where blocks of bytes lie, by number: each is one entry of state. */
public interface Blocks extends Serializable {
  byte[] get(long id);

  void put(long id, byte[] block);

  void remove(long id);
}
