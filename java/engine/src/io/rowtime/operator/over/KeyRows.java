package io.rowtime.operator.over;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.function.LongFunction;

/**
 * The last rows of one partition value, numbered from the first. In state they are stored in pieces, each written once
 * when it is full; rows after the last full piece are part of the value's record.
 */
final class KeyRows {
  /** Reads and writes the pieces of a partition value. */
  interface Pieces {
    void put(long number, byte[] piece);

    void remove(long number);
  }

  static final int PIECE = 64;

  private Chunk chunk;
  /** The number of the chunk's first row. */
  private long base;
  private long first;
  private long seen;
  private long emitted;
  /** Pieces [firstPiece, nextPiece) are in state. */
  private long firstPiece;
  private long nextPiece;

  KeyRows(ValueType[] types) {
    this.chunk = new Chunk(types, 0);
  }

  long arrivedCount() {
    return seen;
  }

  long emittedCount() {
    return emitted;
  }

  Chunk chunk() {
    return chunk;
  }

  /** Returns the index of a row in the chunk. */
  int at(long row) {
    return (int) (row - base);
  }

  /** Counts a row that need not be kept. */
  void pass() {
    seen++;
    emitted++;
    first = seen;
    base = seen;
  }

  /** Adds a row; returns the index in the chunk at which to set its columns. */
  int add(long time, int slot) {
    seen++;
    return chunk.add(time, slot);
  }

  void emit() {
    emitted++;
  }

  /** Drops rows before this one, which are no longer needed. */
  void forget(long before) {
    first = Math.max(first, Math.min(before, seen));
    int gone = (int) (first - base);
    if (gone > 16 && gone > chunk.rows / 2) {
      chunk = chunk.slice(gone, chunk.rows);
      base = first;
    }
  }

  void save(Output to, Pieces pieces) {
    long full = seen / PIECE;
    for (long number = Math.max(nextPiece, first / PIECE); number < full; number++) {
      Output piece = new Output();
      // A piece may start before the first row that is needed.
      long start = Math.max(number * PIECE, first);
      write(start, (number + 1) * PIECE, piece);
      pieces.put(number, piece.toBytes());
    }
    for (long number = firstPiece; number < Math.min(nextPiece, first / PIECE); number++) {
      pieces.remove(number);
    }
    firstPiece = Math.min(full, first / PIECE);
    nextPiece = full;
    to.number(seen);
    to.number(emitted);
    to.number(first);
    write(Math.max(first, full * PIECE), seen, to);
  }

  void remove(Pieces pieces) {
    for (long number = firstPiece; number < nextPiece; number++) {
      pieces.remove(number);
    }
  }

  /** @param pieces returns the pieces by number */
  static KeyRows load(ValueType[] types, Input from, LongFunction<byte[]> pieces, int slot) {
    KeyRows rows = new KeyRows(types);
    rows.seen = from.number();
    rows.emitted = from.number();
    rows.first = from.number();
    rows.base = rows.first;
    rows.nextPiece = rows.seen / PIECE;
    rows.firstPiece = Math.min(rows.nextPiece, rows.first / PIECE);
    for (long number = rows.firstPiece; number < rows.nextPiece; number++) {
      rows.read(new Input(pieces.apply(number)), slot);
    }
    rows.read(from, slot);
    return rows;
  }

  private void write(long start, long stop, Output to) {
    to.number(start);
    to.number(stop - start);
    for (long row = start; row < stop; row++) {
      to.number(chunk.times[at(row)]);
      for (Values column : chunk.columns) {
        column.save(at(row), to);
      }
    }
  }

  private void read(Input from, int slot) {
    long start = from.number();
    long stop = start + from.number();
    for (long row = start; row < stop; row++) {
      int at = chunk.add(from.number(), slot);
      for (Values column : chunk.columns) {
        column.load(at, from);
      }
    }
    if (chunk.rows > 0 && stop > start) {
      base = stop - chunk.rows;
    }
  }
}
