package io.rowtime.over;

import io.rowtime.over.values.Chunk;
import io.rowtime.over.values.Input;
import io.rowtime.over.values.Output;

/** A place in a {@link Log}: before a row of it, or at its end. */
final class Cursor {
  long id;
  int row;
  /** The chunk with this id, once it was needed. */
  Chunk chunk;

  /** Goes on to the next chunk where this one is at its end; gives whether there is a row here. */
  boolean ready(Log log) {
    while (chunk == null || row >= chunk.rows) {
      if (chunk != null) {
        id++;
        row = 0;
        chunk = null;
      }
      if (id >= log.end()) {
        return false;
      }
      chunk = log.chunk(id);
    }
    return true;
  }

  boolean isBefore(Cursor other) {
    return id < other.id || id == other.id && row < other.row;
  }

  void moveTo(Cursor other) {
    id = other.id;
    row = other.row;
    chunk = other.chunk;
  }

  void save(Output to) {
    to.number(id);
    to.number(row);
  }

  void load(Input from) {
    id = from.number();
    row = from.count();
    chunk = null;
  }
}
