package io.rowtime.state;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;

/** A position in a {@link RowLog}: before one of its rows, or at its end. */
public final class Cursor {
  public long id;
  public int row;
  /** The chunk with this id, loaded when it is first needed. */
  public Chunk chunk;

  /** Moves to the next chunk at the end of the current one; returns whether there is a row at the cursor. */
  public boolean ready(RowLog log) {
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

  public boolean isBefore(Cursor other) {
    return id < other.id || id == other.id && row < other.row;
  }

  public void moveTo(Cursor other) {
    id = other.id;
    row = other.row;
    chunk = other.chunk;
  }

  public void save(Output to) {
    to.number(id);
    to.number(row);
  }

  public void load(Input from) {
    id = from.number();
    row = from.count();
    chunk = null;
  }
}
