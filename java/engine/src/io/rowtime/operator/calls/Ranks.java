package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.Arrays;

/** ROW_NUMBER, RANK and DENSE_RANK of the row that entered last; rows enter in the order that ranks them. */
public final class Ranks implements Aggregate {
  public enum Kind { ROW_NUMBER, RANK, DENSE_RANK }

  private final Kind kind;
  private final boolean byTime;
  private final int[] columns;
  private long[] rows = new long[0];
  private long[] ranks = new long[0];
  /** The previous row: its time, and the other columns that order rows. */
  private long[] times = new long[0];
  private final Values[] last;

  /**
   * @param byTime whether rows of different times are never peers
   * @param columns the indexes of the columns in which peers are equal
   */
  public Ranks(Kind kind, boolean byTime, int[] columns, ValueType[] types) {
    this.kind = kind;
    this.byTime = byTime;
    this.columns = columns;
    this.last = Arrays.stream(columns).mapToObj(column -> new Values(types[column], 0)).toArray(Values[]::new);
  }

  @Override public void grow(int slots) {
    if (slots > rows.length) {
      rows = Arrays.copyOf(rows, slots * 2);
      ranks = Arrays.copyOf(ranks, slots * 2);
      times = Arrays.copyOf(times, slots * 2);
      for (Values values : last) {
        values.setNull(slots * 2 - 1);
      }
    }
  }

  @Override public void add(int slot, Chunk from, int row) {
    rows[slot]++;
    if (kind == Kind.ROW_NUMBER || rows[slot] > 1 && isPeer(slot, from, row)) {
      return;
    }
    ranks[slot] = kind == Kind.RANK ? rows[slot] : ranks[slot] + 1;
    times[slot] = from.times[row];
    for (int i = 0; i < columns.length; i++) {
      last[i].set(slot, from.columns[columns[i]], row);
    }
  }

  private boolean isPeer(int slot, Chunk from, int row) {
    boolean peer = !byTime || times[slot] == from.times[row];
    for (int i = 0; i < columns.length && peer; i++) {
      peer = last[i].compare(slot, from.columns[columns[i]], row) == 0;
    }
    return peer;
  }

  @Override public void remove(int slot, Chunk from, int row) {
    // A rank counts all rows of its partition, so none leaves.
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    to.setLong(at, kind == Kind.ROW_NUMBER ? rows[slot] : ranks[slot]);
  }

  @Override public void clear(int slot) {
    rows[slot] = 0;
    ranks[slot] = 0;
  }

  @Override public void save(int slot, Output to) {
    to.number(rows[slot]);
    to.number(ranks[slot]);
    to.number(times[slot]);
    for (Values values : last) {
      values.save(slot, to);
    }
  }

  @Override public void load(int slot, Input from) {
    rows[slot] = from.number();
    ranks[slot] = from.number();
    times[slot] = from.number();
    for (Values values : last) {
      values.load(slot, from);
    }
  }
}
